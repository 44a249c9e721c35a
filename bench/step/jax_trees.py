"""The same step in JAX, compiled as one program."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from bench.step.configurations import Configuration


def smooth_step(z: jax.Array) -> jax.Array:
    u = jnp.clip(z + 0.5, 0, 1)
    return u * u * (3 - 2 * u)


def output(parameters: dict, x: jax.Array, depth: int, sigma) -> jax.Array:
    """[rows × outputs]; nodes of all trees by one product."""
    trees, outputs = parameters["leaves"].shape[1:]
    s = sigma(x @ parameters["weights"] + parameters["biases"]).reshape(len(x), -1, trees)
    if outputs == 1:
        values = parameters["leaves"][None, :, :, 0]
        for level in reversed(range(depth)):
            left, right = values[:, 0::2], values[:, 1::2]
            values = right + s[:, 2**level - 1 : 2 ** (level + 1) - 1] * (left - right)
        return values[:, 0].sum(1)[:, None]
    reach = jnp.ones_like(s[:, :1])
    for level in range(depth):
        left = reach * s[:, 2**level - 1 : 2 ** (level + 1) - 1]
        reach = jnp.stack((left, reach - left), axis=2).reshape(len(x), -1, trees)
    return reach.reshape(len(x), -1) @ parameters["leaves"].reshape(-1, outputs)


def loss(parameters: dict, x: jax.Array, y: jax.Array, depth: int, sigma) -> jax.Array:
    f = output(parameters, x, depth, sigma)
    if f.shape[1] == 1:
        return jnp.mean(jax.nn.softplus(f[:, 0]) - y * f[:, 0])
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(f), y[:, None], axis=1))


def adam(parameter, gradient, first, second, time):
    first = 0.9 * first + 0.1 * gradient
    second = 0.999 * second + 0.001 * gradient**2
    size = jnp.sqrt(second / (1 - 0.999**time)) + 1e-8
    return parameter - 0.01 * first / (1 - 0.9**time) / size, first, second


class JaxStep:
    def __init__(self, configuration: Configuration, columns: int) -> None:
        options, rows = configuration.options, int(configuration.sizes["rows"])
        self.batch, depth = int(options["batch-size"]), int(options["depth"])
        trees, outputs = configuration.trees, configuration.outputs
        keys = jax.random.split(jax.random.key(1), 5)
        nodes = trees * (2**depth - 1)
        parameters = {
            "weights": 0.1 * jax.random.normal(keys[0], (columns, nodes)),
            "biases": jnp.zeros(nodes),
            "leaves": 0.1 * jax.random.normal(keys[1], (2**depth, trees, outputs)),
        }
        zeros = jax.tree.map(jnp.zeros_like, parameters)
        self.state = (parameters, zeros, jax.tree.map(jnp.copy, zeros), jnp.ones(()))
        self.x = jax.random.normal(keys[2], (rows, columns))
        self.y = jax.random.randint(keys[3], (rows,), 0, max(2, outputs))
        self.order = jax.random.permutation(keys[4], rows)
        self.next = 0
        sigma = smooth_step if options.get("recipe") == "paper" else jax.nn.sigmoid
        gradient = jax.grad(functools.partial(loss, depth=depth, sigma=sigma))

        @functools.partial(jax.jit, donate_argnums=0)
        def step(state, x, y, order, first):
            parameters, firsts, seconds, time = state
            rows = jax.lax.dynamic_slice(order, (first,), (self.batch,))
            gradients = gradient(parameters, x[rows], y[rows])
            new = {
                name: adam(parameters[name], gradients[name], firsts[name], seconds[name], time)
                for name in parameters
            }
            return *({name: each[i] for name, each in new.items()} for i in range(3)), time + 1

        self.step = step

    def run(self, count: int) -> None:
        for _ in range(count):
            self.state = self.step(self.state, self.x, self.y, self.order, self.next)
            self.next = (self.next + self.batch) % len(self.order)
        jax.block_until_ready(self.state)


def ways(configuration: Configuration, columns: int, threads: int, simd: str) -> dict[str, JaxStep]:
    """Threads and instructions were chosen before JAX was loaded (contestants.py)."""
    return {"jax": JaxStep(configuration, columns)}
