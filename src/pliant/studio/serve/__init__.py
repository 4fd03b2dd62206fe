"""The server: one port of this machine for the page and its socket, and what is said over it."""
