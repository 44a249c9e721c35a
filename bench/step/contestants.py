"""Processes that run steps when they are asked to: ours and the rivals'."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from bench.step.configurations import Configuration

# The rivals may use no wider vectors either.
NARROW = {
    "SOFTWOOD_SIMD": "avx2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
}
# No search for other devices, and no warnings about them.
QUIET = {"JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "", "TORCH_LOGS": "-all"}


class Process:
    """A line is asked, a line of JSON answered; the first line says that all is ready."""

    def __init__(self, command: list[str], simd: str, cores: int | None = None) -> None:
        environment = os.environ | QUIET | (NARROW if simd == "avx2" else {})
        pin = None
        if cores is not None:
            some = sorted(os.sched_getaffinity(0))[:cores]
            pin = lambda: os.sched_setaffinity(0, some)  # noqa: E731
        self._name = command[-1]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=pin,
        )
        self.greeting = self._answer()

    def _answer(self) -> dict[str, Any]:
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a contestant ended ({self._name}); what it said stands above")
        return json.loads(line)

    def ask(self, question: str) -> dict[str, Any]:
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


class Contestants:
    """`runs`: by (name, threads), seconds of a step as the mean of so many."""

    def __init__(
        self,
        program: str,
        configuration: Configuration,
        threads: list[int],
        rivals: list[str],
        simd: str,
    ) -> None:
        self.ours = Process([program, *configuration.arguments()], simd)
        account = self.ours.greeting
        self.columns = (account["products"] + account["knots"]) // account["nodes"]
        self._processes = [self.ours]
        self.runs: dict[tuple[str, int], Callable[[int], float]] = {}
        for count in threads:
            self.runs["softwood", count] = self._asking(self.ours, f"run {count} {{}}")
        for library in rivals:
            for count in threads:
                self._add(library, configuration, count, simd)

    @staticmethod
    def _asking(process: Process, question: str) -> Callable[[int], float]:
        return lambda steps: process.ask(question.format(steps))["seconds"]

    def _add(self, library: str, configuration: Configuration, threads: int, simd: str) -> None:
        # JAX takes as many threads as there are cores.
        command = [sys.executable, "-m", "bench.step.rival"]
        command += [library, configuration.name, str(self.columns), str(threads), simd]
        process = Process(command, simd, threads if library == "jax" else None)
        self._processes.append(process)
        for way in process.greeting["ways"]:
            self.runs[way, threads] = self._asking(process, f"{way}\t{{}}")

    def close(self) -> None:
        for process in self._processes:
            process.close()
