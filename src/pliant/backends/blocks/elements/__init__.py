"""Elements over blocks: parts of a model in a few forms, each compiled once."""
