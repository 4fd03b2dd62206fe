"""Scopes: which names a formula may read, depending on where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.errors import Fault
from pliant.model.fields import ANYTHING, CONSTANT, STATE, TIME
from pliant.model.forces.action import MOMENTA
from pliant.model.frames import COMPONENTS, MOTIONS
from pliant.model.named import did_you_mean
from pliant.model.networks.structure import Structure, state_names
from pliant.model.validation.context import Context
from pliant.model.validation.names import ENERGIES
from pliant.model.validation.network_laws import coordinate_names

_MAY_READ = {
    CONSTANT: "this number is constant: it may read parameters only",
    TIME: "a prescribed motion may read t, parameters and signals only",
    STATE: "",
    ANYTHING: "",
}


def scope_faults(context: Context) -> Iterator[Fault]:
    """Every name in a formula that cannot be read there."""
    known = _Known(context)
    for who, path, label, f, kind in context.model.formulas():
        if path[0] == "parameters":
            continue
        for name in sorted(f.names - kind.local):
            objection = known.objection(name, kind.scope)
            if objection is not None:
                what, cure = objection
                yield Fault(who, f"{label}: {what}" if label else what, cure, path=path)


class _Known:
    """The names of a model, by what may read them."""

    def __init__(self, context: Context) -> None:
        model, self.context = context.model, context
        self.parameters = set(model.all_parameters())
        self.times = {"t", *model.signals}
        self.joint_names = coordinate_names(model)
        self.network_states = {
            f"{name}.{label}"
            for name, network in model.networks.items()
            for label in state_names(Structure(model, network))
        }
        self.owners = {"ground"} | {
            name
            for section in ("bodies", "joints", "forces", "drivers", "constraints", "networks")
            for name in getattr(model, section)
        }

    def objection(self, name: str, scope: str) -> tuple[str, str] | None:
        """What is wrong with reading this name here, and the cure; None if nothing is."""
        if name in self.parameters:
            return None
        if name in self.times:
            return None if scope != CONSTANT else (f"reads '{name}'", _MAY_READ[scope])
        if name in self.joint_names or name in self.network_states or self.is_motion(name):
            return None if scope in (STATE, ANYTHING) else (f"reads '{name}'", _MAY_READ[scope])
        if scope == ANYTHING and (name in ENERGIES or name.split(".")[0] in self.owners):
            return None if name in ENERGIES or "." in name else self.unknown(name, scope)
        owner, _, component = name.rpartition(".")
        if scope == ANYTHING and owner in MOMENTA and component in COMPONENTS:
            return None
        return self.unknown(name, scope)

    def is_motion(self, name: str) -> bool:
        """True for `<frame>.position.x` and its like."""
        parts = name.split(".")
        if len(parts) not in (3, 4) or parts[-1] not in COMPONENTS:
            return False
        return parts[-2] in MOTIONS and self.context.body_of(".".join(parts[:-2])) is not None

    def unknown(self, name: str, scope: str) -> tuple[str, str]:
        known, bodies = {*self.parameters}, self.context.model.bodies
        if scope != CONSTANT:
            known |= self.times
        if scope in (STATE, ANYTHING):
            known |= self.joint_names | self.network_states
            known |= {f"{b}.{m}.{c}" for b in bodies for m in MOTIONS for c in "xyz"}
        cure = did_you_mean(name, known)
        if "." not in name and not cure:
            cure = f"define the parameter '{name}'"
        return f"unknown name '{name}'", cure or "see the reference for what formulas may read"
