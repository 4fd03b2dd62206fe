"""Compiled functions by address: how they are called, where they come from, what they share."""
