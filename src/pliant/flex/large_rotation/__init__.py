"""Beams of large rotation: a model with such beams as bodies at nodes and elements between them."""
