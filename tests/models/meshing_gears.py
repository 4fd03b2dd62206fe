"""Two gears whose teeth touch: a constraint on flows inside a network."""

TEETH = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  small: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.3]}}
  large: {rigid: {mass: 2, com: [0.1, 0, 0], inertia: [0.4, 0.5, 0.6]}}
joints:
  a: {revolute: {axis: y}, between: [ground, small], initial: {angle_rate: 3}}
  b: {revolute: {axis: y}, between: [ground, large]}
networks:
  teeth:
    domain: rotation
    elements:
      first: {joint: a}
      second: {joint: b}
      gear: {TF: 0.5, from: first, to: mesh}
      mesh: {junction: 0}
      contact: {CN: null, on: mesh}
    bonds: {b1: {from: second, to: mesh}}
"""
"""The flow at the teeth is zero: nothing but rounding of the rates that cancel in it."""
