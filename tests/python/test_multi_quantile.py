"""Several quantiles of one model cannot cross, whatever the trees say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loss_reference import LossEval

RAW = st.floats(-800, 800)


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


@st.composite
def raw_outputs(draw):
    levels = sorted(draw(st.sets(st.integers(1, 999), min_size=1, max_size=7)))
    return [level / 1000 for level in levels], draw(
        st.lists(RAW, min_size=len(levels), max_size=len(levels))
    )


@given(raw=raw_outputs(), y=st.floats(-1e6, 1e6))
@settings(max_examples=300, deadline=None)
def test_quantiles_never_cross(library, raw, y):
    levels, f = raw
    spec = f"multi_quantile({', '.join(map(str, levels))})"
    answer = library.ask(loss=spec, y=[y], f=[[v] for v in f])
    quantiles = np.array(answer["predictions"]["quantile"], float).ravel()
    assert not np.isnan(quantiles).any() or max(f) > 709, "exp(710) is no double"
    known = quantiles[~np.isnan(quantiles)]
    assert (np.diff(known[np.isfinite(known)]) >= 0).all()


@given(f=st.lists(st.floats(-5, 5), min_size=3, max_size=3), y=st.floats(-20, 20))
@settings(max_examples=100, deadline=None)
def test_the_loss_is_the_mean_of_the_single_quantiles_losses(library, f, y):
    answer = library.ask(loss="multi_quantile(0.2, 0.5, 0.7)", y=[y], f=[[v] for v in f])
    quantiles = np.ravel(answer["predictions"]["quantile"])
    single = [
        library.ask(loss=f"quantile({level})", y=[y], f=[[q]])["value"][0]
        for level, q in zip([0.2, 0.5, 0.7], quantiles.tolist(), strict=True)
    ]
    np.testing.assert_allclose(answer["value"][0], np.mean(single), rtol=1e-12, atol=1e-12)
