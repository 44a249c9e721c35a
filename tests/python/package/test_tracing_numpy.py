"""NumPy's and SciPy's functions on traced values mean what they mean on numbers."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import softwood as sw
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from softwood.language.numpy_protocol import FUNCTIONS, UFUNCS

jax.config.update("jax_enable_x64", True)

ANY = np.linspace(-3, 3, 25)
POSITIVE = np.linspace(0.1, 4, 25)
SHARES = np.linspace(0.02, 0.98, 25)
DOMAINS = {
    **dict.fromkeys(["log", "log2", "log10", "log1p", "sqrt", "gammaln", "loggamma"], POSITIVE),
    **dict.fromkeys(
        ["psi", "power", "float_power", "gammainc", "gammaincc", "reciprocal"], POSITIVE
    ),
    **dict.fromkeys(["betainc", "betaincc", "logit"], SHARES),
    **dict.fromkeys(["xlogy", "xlog1py", "divide", "floor_divide"], POSITIVE),
}
CONDITIONS = {"bitwise_and", "bitwise_or", "invert"}


@pytest.mark.parametrize("name", sorted(set(UFUNCS) - CONDITIONS))
def test_every_ufunc_means_what_it_means_in_numpy(name):
    ufunc = getattr(np, name, None) or getattr(special, name)
    x = DOMAINS.get(name, ANY)
    others = [0.6] * (ufunc.nin - 1)
    expected = ufunc(*others, x)
    loss = sw.Loss(lambda y, f: sw.where(y > 0, ufunc(*others, f) + 0 * f, 0))
    np.testing.assert_allclose(loss.value(1, x), expected, rtol=1e-12, atol=1e-14)


def test_conditions_join_by_operators_and_by_numpy():
    ways = [
        lambda y, f: np.where((y > 0) & ~(f > 0) | (f > 2), f, 2 * f),
        lambda y, f: np.where(
            np.logical_or(np.logical_and(y > 0, np.logical_not(f > 0)), f > 2), f, 2 * f
        ),
    ]
    expected = np.where((ANY > 0) & ~(ANY[::-1] > 0) | (ANY[::-1] > 2), 1.0, 2.0)
    for way in ways:
        np.testing.assert_array_equal(sw.Loss(way).gradient(ANY, ANY[::-1]), expected)


def test_arrays_of_numbers_join_in_on_either_side():
    levels = np.array([0.1, 0.5, 0.9])
    loss = sw.Loss(lambda y, f: np.sum(levels * (y - f)) + np.sum((y - f) / levels))
    assert loss.value(3.0, 1.0) == pytest.approx(2 * 1.5 + 2 * (10 + 2 + 10 / 9))
    assert sw.Loss(lambda y, f: np.float64(2) * f + y).value(1, 3) == 7


def test_reductions_of_vectors_are_numpys():
    def reductions(y, w):
        return (
            np.sum(w) + 10 * np.max(w) + 100 * np.min(w) + 1000 * np.mean(w) + np.cumsum(w)[1] * 1e4
            + 1e5 * np.clip(w, 0, a_max=2.5)[2]
            + np.add.reduce(w) + np.stack([y, w[0]])[1] + np.size(w)
        )  # fmt: skip

    value = sw.Loss(reductions, outputs="w[3]").value(0, [1.0, 2.0, 6.0])
    assert value == 9 + 60 + 100 + 3000 + 3e4 + 2.5e5 + 9 + 1 + 3
    assert {"where", "clip", "sum", "max", "min", "cumsum"} <= set(FUNCTIONS)


# --- random expressions ---

UNARY = {
    "exp": (jnp.exp, lambda x: sw.exp(x)),
    "tanh": (jnp.tanh, np.tanh),
    "sigmoid": (jax.nn.sigmoid, special.expit),
    "softplus": (jax.nn.softplus, lambda x: sw.softplus(x)),
    "square": (jnp.square, np.square),
    "negative": (jnp.negative, np.negative),
    "log1p of a square": (lambda x: jnp.log1p(x**2), lambda x: np.log1p(x**2)),
    "root": (lambda x: jnp.sqrt(1 + x**2), lambda x: np.sqrt(1 + x**2)),
    "absolute": (jnp.abs, abs),
}
BINARY = {
    "+": (jnp.add, lambda a, b: a + b),
    "-": (jnp.subtract, lambda a, b: a - b),
    "*": (jnp.multiply, lambda a, b: a * b),
    "/": (lambda a, b: a / (1 + b**2), lambda a, b: a / (1 + b**2)),
    "max": (jnp.maximum, np.maximum),
    "where": (lambda a, b: jnp.where(a < b, a, 2 * b), lambda a, b: sw.where(a < b, a, 2 * b)),
    "logaddexp": (jnp.logaddexp, np.logaddexp),
}
LEAVES = st.sampled_from(["y", "f", "g"]) | st.floats(-2, 2).map(lambda x: round(x, 2))


def branches(children):
    return st.tuples(st.sampled_from(sorted(UNARY)), children) | st.tuples(
        st.sampled_from(sorted(BINARY)), children, children
    )


def grow(tree, which, leaves):
    """The tree's value: by JAX (0) or traced (1)."""
    if not isinstance(tree, tuple):
        return leaves[tree] if isinstance(tree, str) else tree
    values = [grow(each, which, leaves) for each in tree[1:]]
    return (UNARY if len(values) == 1 else BINARY)[tree[0]][which](*values)


@settings(max_examples=150, deadline=None)
@given(st.recursive(LEAVES, branches, max_leaves=12))
def test_random_expressions_have_the_value_and_gradient_of_jax(tree):
    def traced(y, f, g):
        # Shared, so that helper lines take part.
        part = grow(tree, 1, {"y": y, "f": f, "g": g})
        return np.tanh(part * 0.1) * f + part * 0.01 + g

    def reference(y, f, g):
        part = grow(tree, 0, {"y": y, "f": f, "g": g})
        return jnp.tanh(part * 0.1) * f + part * 0.01 + g

    loss = sw.Loss(traced, outputs=("f", "g"))
    # No two are equal, so no kink is met.
    y, f, g = np.array([0.31, -1.07]), np.array([0.53, -0.29]), np.array([-0.71, 1.13])
    expected = jax.vmap(reference)(y, f, g)
    usable = np.isfinite(expected) & (np.abs(expected) < 1e6)
    np.testing.assert_allclose(
        loss.value(y, {"f": f, "g": g})[usable], expected[usable], rtol=1e-9, atol=1e-9
    )
    slopes = jax.vmap(jax.grad(reference, argnums=(1, 2)))(y, f, g)
    mine = loss.gradient(y, {"f": f, "g": g})
    kinks = {"absolute", "max", "where"} & set(re.findall(r"'(\w+)'", repr(tree)))
    for name, slope in zip(("f", "g"), slopes, strict=True):
        sure = usable & np.isfinite(slope) & (not kinks)
        np.testing.assert_allclose(mine[name][sure], slope[sure], rtol=1e-7, atol=1e-8)
