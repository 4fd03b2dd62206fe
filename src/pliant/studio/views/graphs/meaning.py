"""What the elements of a generated multibond graph are, and their laws, in words. Source: S0 figs.
2-3, 6-2 and 7-2 to 7-14."""

from __future__ import annotations

from pliant.bonds import Node

Said = tuple[str, str]
"""What it is; its law."""

_BODY: dict[str, Said] = {
    "R": ("velocity of its frame, in its axes", ""),
    "W": ("angular velocity, in its axes", ""),
    "0c": ("velocity of the mass centre: what moves and turns it added up", ""),
    "TFc": ("lever from its frame to the mass centre", "v = ω × c"),
    "TFS": ("what deformation moves the mass centre", "v = S q̇"),
    "A": ("turns into world axes", "f₂ = A f₁, e₁ = Aᵀ e₂"),
    "Pc": ("velocity of the mass centre, in world axes", ""),
    "m": ("mass, at the mass centre", "p = m v"),
    "g": ("weight", "e = m g"),
    "xi": ("turning and deforming together", ""),
    "xi.M": ("moments of inertia", "p = M ξ̇"),
    "EJS": ("gyroscopic torque, which does no work", "e = ω × p"),
    "E": ("elastic rates", ""),
    "SUM": ("angular velocity and elastic rates as one", "ξ̇ = (ω, q̇)"),
    "K": ("stiffness of its elastic coordinates", "e = K q"),
    "D": ("damping of its elastic coordinates", "e = D q̇"),
    "R.Sf": ("the ground does not move", "f = 0"),
    "W.Sf": ("the ground does not turn", "f = 0"),
}
_FRAME: dict[str, Said] = {
    "0v": ("velocity of the frame: what moves and turns it added up", ""),
    "TFp": ("lever from the origin to the frame", "v = ω × p"),
    "TFv": ("what deformation moves the frame", "v = J q̇"),
    "v": ("velocity of the frame", ""),
    "0w": ("angular velocity of the frame, with what deformation adds", ""),
    "TFw": ("what deformation turns the frame", "ω = J q̇"),
    "w": ("angular velocity of the frame", ""),
}
_JOINT: dict[str, Said] = {
    "Av": ("turns velocities into axes of the child", "f₂ = A f₁, e₁ = Aᵀ e₂"),
    "Aw": ("turns angular velocities into axes of the child", "f₂ = A f₁, e₁ = Aᵀ e₂"),
    "TFr": ("lever from the parent's frame to the child's", "v = ω × r"),
    "0v": ("velocity of the child's frame: that of the parent and the joint's own", ""),
    "0w": ("angular velocity of the child: that of the parent and the joint's own", ""),
    "u": ("speeds of the joint", ""),
    "": ("massless store of the joint's speeds, Kane's equation along its motion", "p = 0"),
    "Hv": ("what its speeds move", "v = H u"),
    "Hw": ("what its speeds turn", "ω = H u"),
    "Sf": ("what the joint does not let move", "f = 0"),
    "0c": ("what the closed loop must not move, added up", ""),
    "CN": ("constraintor: multipliers that hold the loop closed", "f = 0, e = λ"),
    "Cv": ("directions of translation that are held", "f₂ = Cᵀ f₁, e₁ = C e₂"),
    "Cw": ("directions of rotation that are held", "f₂ = Cᵀ f₁, e₁ = C e₂"),
    "s": ("rates of its springs", ""),
    "K": ("stiffness of its springs", "e = K q"),
    "D": ("damping of its springs", "e = D q̇"),
}
_DRIVER: dict[str, Said] = {
    "TF": ("the speed that it drives", ""),
    "0": ("speed minus what it should be", ""),
    "Sf": ("the speed that is wanted", "f = -u(t)"),
    "CN": ("constraintor: the driving effort", "f = 0, e = λ"),
}
_KINDS: dict[str, Said] = {
    "0": ("0-junction: common effort, flows add up to zero", "Σ f = 0"),
    "1": ("1-junction: common flow, efforts add up to zero", "Σ e = 0"),
    "Se": ("source of effort", "e = e(t)"),
    "Sf": ("source of flow", "f = f(t)"),
    "I": ("inertia", "p = I f"),
    "C": ("compliance", "e = q / C"),
    "R": ("resistance", "e = R f"),
    "MR": ("resistance that gives efforts only", "e = e(f)"),
    "TF": ("transformer", "f₂ = T f₁, e₁ = Tᵀ e₂"),
    "MTF": ("transformer whose ratio changes", "f₂ = T f₁, e₁ = Tᵀ e₂"),
    "GY": ("gyrator", "e₂ = T f₁, e₁ = Tᵀ f₂"),
    "MGY": ("gyrator whose ratio changes", "e₂ = T f₁, e₁ = Tᵀ f₂"),
    "SUM": ("bonds of one side as one bond", "f₂ = (f₁, …)"),
    "EJS": ("junction structure that does no work", "e = e(f), eᵀ f = 0"),
    "CN": ("constraintor: holds the flow at zero", "f = 0, e = λ"),
}
_GROUPS = {"body": _BODY, "ground": _BODY, "joint": _JOINT, "driver": _DRIVER}


def of_kind(kind: str) -> Said:
    """What elements of a kind are."""
    return _KINDS.get(kind, ("", ""))


def of_generated(node: Node, local: str, group: str) -> Said:
    """What an element of a body, joint, driver or force is, by its name within it."""
    known = _GROUPS.get(group, {}).get(local)
    frame, _, part = local.rpartition(".")
    if known is None and group in ("body", "ground") and part in _FRAME:
        what, law = _FRAME[part]
        known = (f"{what}, {frame}", law)
    if known is None and group == "force" and node.kind == "Se":
        letter = local[:1]
        known = ({"T": "torque", "F": "force"}.get(letter, "effort"), "e = e(t, q, u)")
    what, law = known or of_kind(node.kind)
    return what, law or of_kind(node.kind)[1]
