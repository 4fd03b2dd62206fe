"""Drivers: prescribed motions, registered in `DRIVERS`."""

from pliant.model.drivers.frame import FrameDriver
from pliant.model.drivers.joint import LEVELS, JointDriver

Driver = JointDriver | FrameDriver
DRIVERS: dict[str, type[Driver]] = {"joint": JointDriver, "frame": FrameDriver}

__all__ = ["DRIVERS", "LEVELS", "Driver", "FrameDriver", "JointDriver"]
