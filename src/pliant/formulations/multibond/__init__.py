"""The multibond formulation: equations from a bond graph and its causality."""
