"""Kane's equations: generalised speeds, partial velocities, F_r + F_r* = 0. Source: S3."""
