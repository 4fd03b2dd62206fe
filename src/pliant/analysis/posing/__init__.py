"""Posing: a mechanism is moved by hand, by a joint or by a point of a body, its joints held."""
