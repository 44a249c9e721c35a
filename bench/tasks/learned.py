"""What a method hands over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Learned:
    """One model of some tasks. `predicted`: per target, for the test rows that have it, means or
    probabilities of class 1; `trees`: or rounds; `bytes`: 0 if unknown; `seconds`: processor's."""

    predicted: dict[str, np.ndarray]
    seconds: float
    trees: int
    bytes: int
