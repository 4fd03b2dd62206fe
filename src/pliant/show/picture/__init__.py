"""Pictures and films of the 3-D view, without a screen and without a browser."""
