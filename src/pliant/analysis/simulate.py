"""Transient simulation: a request becomes a plan, a back end computes it, its motion a result."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pliant.backends.choose import chosen_back_end
from pliant.backends.contract import Motion
from pliant.backends.request import Plan, Request, settled
from pliant.errors import Interrupted
from pliant.observe.following import asked_for
from pliant.results import Result
from pliant.results.result import Info
from pliant.study import Study


def simulate(system: Study, request: Request) -> Result:
    """See ``System.simulate``."""
    return computed(system, settled(system, request))


def computed(system: Study, plan: Plan) -> Result:
    """What a plan asks for."""
    watch = plan.request.watch
    own = asked_for(plan.observe or ())
    if own:
        names = [n for n in plan.observe or () if n not in own]
        plan = replace(plan, observe=list(dict.fromkeys([*names, *sum(own.values(), ())])))
    if watch is not None:
        early = plan
        plan = replace(plan, watch=lambda motion: watch(_result(system, early, motion)))
    motion = chosen_back_end(system, plan).back_end.run(system, plan)
    return finished(system, plan, motion, own)


def finished(system: Study, plan: Plan, motion: Motion, own: Collection[str] = ()) -> Result:
    """What a motion is told as; ``own``: observables that follow from others."""
    result = _result(system, plan, motion).also(own)
    if motion.failed is not None and motion.failed.code == "interrupted":
        raise Interrupted(result)
    return result


def _result(system: Study, plan: Plan, motion: Motion) -> Result:
    info = {
        "model": system.model.name, "method": plan.method, "rtol": plan.rtol, "atol": plan.atol,
        "step": plan.step, "params": dict(plan.params), **motion.info,
        "failure_code": motion.failed.code if motion.failed else "",
        "energy": motion.energy or "not known of this model",
        "statistics": dict(motion.statistics),
    }  # fmt: skip
    lost = motion.energy is not None and not motion.energy.holds
    balance = (motion.energy.warning,) if motion.energy is not None and lost else ()
    return Result(
        time=motion.time, series=motion.series,
        info=Info(info, {"end_state": lambda: motion.end().text}), events=motion.events,
        warnings=(*plan.doubts, *balance, *motion.remarks), failure=motion.failure,
        model=motion.model, recorded=motion.recorded,
    )  # fmt: skip
