"""Parts of networks: a selection becomes a sub-graph with ports, and a part its elements again."""
