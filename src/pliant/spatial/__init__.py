"""Rotations, poses and spatial vectors, written once for numbers and symbols."""
