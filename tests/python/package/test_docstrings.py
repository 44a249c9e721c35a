"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "softwood.estimators.one_response",
        "softwood.estimators.several_tasks",
        "softwood.language.loss",
    ],
)
def test_the_examples_of_a_module_are_true(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0
