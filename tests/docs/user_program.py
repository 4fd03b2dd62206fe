"""What a user writes, with every verb and every kind of answer: read by type checkers, not run."""

from pathlib import Path

import numpy as np

import pliant as pl


def machine(length: float | str = "500 mm") -> pl.System:
    """Numbers, texts with units and formulas where numbers are expected; mappings for parts."""
    arm = pl.RigidBody.rod("arm", length, mass="2 kg", frames={"tip": [length, 0, 0]})
    pin = pl.Revolute("pin", "ground", "arm", axis=[0, 1, 0], initial={"angle": "30 deg"})
    beam = pl.Beam(
        "beam", 1.0, section=pl.Tube("20 mm", inner="18 mm"), material="steel",
        damping={"modal": 0.01}, frames={"end": {"at": ["1 m", 0, 0]}}, theory="modal",
    )  # fmt: skip
    weld = pl.Fixed("weld", "arm.tip", "beam")
    motor = pl.Actuator("motor", "pin", effort="-40*(pin.angle - target) - 6*pin.angle_rate")
    return pl.System(
        name="arm", gravity=[0, 0, "-9.81 m/s^2"], parameters={"target": "1 rad"},
        bodies=[arm, beam], joints={"pin": pin, "weld": weld}, forces=[motor],
        materials=[pl.Material("steel", E="210 GPa", nu=0.3, density=7850)],
        outputs={"height": "arm.tip.position.z"}, events=[pl.Event("up", when="pin.angle > 1")],
        settings=pl.Settings(t_end=1),
    )  # fmt: skip


def study(folder: Path) -> float:
    """Every verb."""
    system = machine()
    result = system.simulate("1 s", params={"target": 0.5}, outputs=["arm.*"], rtol=1e-8)
    names: list[str] = [name for name in result if name.startswith("arm")]
    units: dict[str, str] = result.names()
    last: float = result["pin.angle"].values[-1]
    height: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = result.values("height")
    result.plot("pin.angle", path=folder / "arm.png")
    result.report(folder / "arm.html", title="arm")
    result.save(folder / "arm.nc")
    table = result.compare(pl.Result.load(folder / "arm.nc"))
    worst: float = table.worst
    if not result.completed or result.failure:
        raise RuntimeError(result.failure)
    calm = system.statics(load_steps=3, params={"target": 0})
    modes = system.modes(4, at="equilibrium")
    lowest: float = min(mode.frequency for mode in modes if not mode.rigid)
    report = system.verify(t_end=0.1)
    agreed: bool = report.agree
    freedom: int = system.check().freedom
    audit = result.power_audit()
    lost: float = audit.dissipated
    drawing: str = system.graph("bond").svg()
    written: str = system.equations(form="augmented").text()
    source: str = system.source("fortran")
    sweep = system.sweep({"target": [0, 0.5, 1]}, outputs=["height"])
    best = sweep.best("max max height")
    print(names, units, height.max(), calm, worst, lowest, agreed, freedom, lost, best.run)
    print(drawing, written, source, result.warnings, [event.time for event in result.events])
    return last


if __name__ == "__main__":
    try:
        print(study(Path(".")))
    except pl.PliantError as error:
        print(error)
