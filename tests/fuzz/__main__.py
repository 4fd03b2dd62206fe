"""python -m tests.fuzz [TARGET ...] [--cases N] [--first SEED] [--raise]."""

import argparse
import sys
import time

from tests.fuzz import every_kind, files, mechanisms


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    known = [*files.TARGETS, "mechanisms", "every_kind"]
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}")
    parser.add_argument("--cases", type=int, default=1000, help="for each target (1000)")
    parser.add_argument("--first", type=int, default=0, help="first seed (0)")
    options = parser.parse_args()
    faults = 0
    for target in options.targets or known:
        began = time.perf_counter()
        own = {"mechanisms": mechanisms.judged, "every_kind": every_kind.judged}
        judge = own.get(target)
        for seed in range(options.first, options.first + options.cases):
            fault = judge(seed) if judge else files.judged(target, seed)
            if fault is not None:
                faults += 1
                print(f"{target} --first {seed} --cases 1: {fault.what[:300]}", flush=True)
        print(f"{target}: {options.cases} cases, {time.perf_counter() - began:.1f} s", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
