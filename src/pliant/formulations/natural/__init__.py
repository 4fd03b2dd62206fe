"""Natural coordinates: points and unit vectors shared by bodies at joints. Source: S2."""
