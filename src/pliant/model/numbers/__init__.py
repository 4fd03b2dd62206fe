"""Numbers of a model: by name, by path, in units."""
