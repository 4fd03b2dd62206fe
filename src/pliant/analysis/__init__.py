"""The verbs of a system, one module each: down the stream from the model to a result."""
