"""What stands in examples/ runs."""

import os
import subprocess
import sys

from command_line import QUICK, ROOT, SOFTWOOD, predict, succeed, train


def test_the_demo_prints_a_line_per_loss():
    command = [sys.executable, ROOT / "examples/demo.py", "--rows", "800"]
    command += ["--", "--trees", "5", "--epochs", "3"]
    environment = {**os.environ, "SOFTWOOD": str(SOFTWOOD)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for loss in (
        "poisson",
        "zero_inflated_poisson",
        "negative_binomial",
        "loss = (y + 1)*softplus(f) - y*f; mean = exp(f)",
    ):
        (line,) = [line for line in lines if line.startswith(f"{loss} ")]
        trees, likelihood, deviance, auc, _ = line.removeprefix(loss).split()
        assert trees == "5"
        assert 1 < float(likelihood) < 10
        assert 1 < float(deviance) < 10
        assert 0.4 < float(auc) < 1


def test_the_loss_file_trains(tmp_path, tables):
    loss = ROOT / "examples/geometric.loss"
    assert "log_mu" in succeed("losses", "--check", loss)
    data = tables / "visits.csv"
    model = train(tmp_path, data, "--target", "y", "--loss", f"@{loss}", *QUICK)
    assert all(float(mean) > 0 for mean in predict(model, data)["mean"])
