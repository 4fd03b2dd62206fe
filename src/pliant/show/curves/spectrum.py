"""Amplitudes of a curve over frequency."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError

_UNEVEN = 1e-6
"""Of the mean interval: samples that stand more unevenly are interpolated."""
_LEAST = 8


def spectrum(time: Array, values: Array) -> tuple[Array, Array]:
    """Frequencies in Hz, and amplitudes in the unit of the values.

    With N even samples x_n and the window w_n of Hann (F. J. Harris 1978, eq. 23),

        A_k = 2 |Σ w_n (x_n - x̄) exp(-2πi k n / N)| / Σ w_n,   f_k = k / (N Δt),

    so that a swing a cos(2π f t) at one of the f_k has the amplitude a there. x̄ is the mean under
    the window. Samples that are not even are put on N even times, by straight lines.
    """
    n = len(time)
    if n < _LEAST or not time[-1] > time[0]:
        raise InputError(f"plot: a spectrum of {n} samples", f"give at least {_LEAST}")
    even = np.linspace(time[0], time[-1], n)
    step = (time[-1] - time[0]) / (n - 1)
    if np.abs(time - even).max() > _UNEVEN * step:
        values = np.interp(even, time, values)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)
    mean = float(window @ values / window.sum())
    parts = np.fft.rfft(window * (values - mean))
    scale = np.full(len(parts), 2.0)
    if n % 2 == 0:
        scale[-1] = 1.0  # the highest frequency stands alone
    return np.fft.rfftfreq(n, step), scale * np.abs(parts) / window.sum()
