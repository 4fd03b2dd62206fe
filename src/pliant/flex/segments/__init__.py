"""Finite segments: a beam as rigid segments joined by springs and dampers."""
