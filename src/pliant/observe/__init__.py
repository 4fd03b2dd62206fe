"""What can be observed of a model: names, units and kinds, and values over rows of states."""
