"""Share of lines that tests reach, for every room of the package; fails below the floor.

    python scripts/coverage_by_room.py coverage.json

Compiled loops run as machine code and are not seen; they are counted apart and have no floor.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

FLOOR = 0.85


def main(file: str) -> int:
    found = json.loads(Path(file).read_text(encoding="utf-8"))["files"]
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, entry in found.items():
        compiled = re.search(r"^@(jit|service|compiled)\b", Path(path).read_text(), re.MULTILINE)
        inside = path.split("pliant/")[1].split("/")
        room = inside[0] if len(inside) > 1 else "beside the rooms"
        counts = rooms[f"{room}, compiled" if compiled else room]
        counts[0] += entry["summary"]["covered_lines"]
        counts[1] += entry["summary"]["num_statements"]
    low = []
    for room, (covered, every) in sorted(rooms.items()):
        share = covered / max(every, 1)
        print(f"{room:<24}{share:7.1%} of {every}")
        if share < FLOOR and "compiled" not in room:
            low.append(room)
    if low:
        print(f"below {FLOOR:.0%}: {', '.join(low)}", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
