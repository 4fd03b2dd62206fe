"""Singular positions: seen ahead, and passed."""
