"""A figure that notebooks show once. Imported when one is drawn: it needs matplotlib."""

from __future__ import annotations

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure


class ShownOnce(Figure):
    """Shown as what a cell returns or else at the cell's end, as every figure that is open then."""

    def _ipython_display_(self) -> None:
        if "inline" in matplotlib.get_backend().lower():
            plt.close(self)
        raise NotImplementedError  # it goes on and shows it as any figure
