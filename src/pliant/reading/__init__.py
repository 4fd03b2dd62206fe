"""Equations for people: algebra in normal form, its printers, and a system written out."""
