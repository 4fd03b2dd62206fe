"""Certified motions that beams are measured against.

Spectral elements and an explicit method of order eight, refined until nothing changed.
"""

from __future__ import annotations

import numpy as np

SPIN_UP = np.array([
    -0.00181516817, -0.02054353198, -0.06011892947, -0.1023806322, -0.1512835586, -0.2172673587,
    -0.28322948, -0.3422786475, -0.4076099533, -0.4684761834, -0.5096099796, -0.5435964003,
    -0.5699483684, -0.5713118065, -0.559083459, -0.5428415351,
])  # fmt: skip
"""Transverse tip displacement (m) of the spin-up in the turning frame, every 0.5 s: to 1e-9."""

RIGHT_ANGLE = np.array([
    [-0.054196, 0.022882, 0.951314, -0.003017, -0.023389, 0.054032],
    [-1.011114, 0.267389, 4.115246, 0.106261, -0.692150, 0.069264],
    [-2.049121, 0.239660, 5.501669, 0.788497, -1.061500, 1.507208],
    [-1.564395, -0.427658, 4.642069, 0.441982, -0.706241, 3.508934],
    [-0.851796, -0.764270, 3.111415, -0.540678, -1.062475, 5.479398],
])  # fmt: skip
"""Displacements (m) of elbow and tip of the right-angle frame, every second: to 1e-5."""
