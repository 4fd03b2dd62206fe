"""What can be done to networks and sub-graphs: elements, bonds, parts, groups, and gestures on the
graph of the mechanism."""
