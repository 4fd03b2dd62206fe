"""Names of what formulas may read of the motion of a frame: `<frame>.velocity.x`."""

COMPONENTS = ("x", "y", "z")
VELOCITIES = ("velocity", "angular_velocity", "own_velocity", "own_angular_velocity")
"""Those that are linear in the rates of coordinates; own: in the axes of the frame itself."""
MOTIONS = ("position", *VELOCITIES)
