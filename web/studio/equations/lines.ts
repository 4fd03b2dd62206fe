// Long equations over several lines: browsers break no mathematics, so a row is cut before its
// pluses and minuses into pieces that flow like words.

const SPACE = "http://www.w3.org/1998/Math/MathML";
/** Signs in a group that may stay in one piece. */
const TOGETHER = 36;
const BEFORE = new Set(["+", "-", "−", "±"]);
const OPENING = new Set(["(", "[", "{", "="]);

/** The pieces of a row; a short one is its only piece. */
export function pieces(math: Element): Element[] {
  const parts = opened([...math.children]);
  const groups: Element[][] = [[]];
  parts.forEach((part, k) => {
    const before = k > 0 ? signOf(parts[k - 1]) : "(";
    if (BEFORE.has(signOf(part)) && !OPENING.has(before)) {
      part.setAttribute("form", "infix");
      groups.push([]);
    }
    groups[groups.length - 1].push(part);
    if (signOf(part) === "=" && k < parts.length - 1) groups.push([]);
  });
  return groups.filter((group) => group.length).map(pieceOf);
}

/** Long groups are opened, so that they can be cut within. */
function opened(parts: Element[]): Element[] {
  return parts.flatMap((part) =>
    part.localName === "mrow" && size(part) > TOGETHER ? opened([...part.children]) : [part],
  );
}

function size(part: Element): number {
  return part.querySelectorAll("mi, mn, mo, mtext").length;
}

function signOf(part: Element): string {
  return part.localName === "mo" ? (part.textContent ?? "") : "";
}

function pieceOf(parts: Element[]): Element {
  const piece = document.createElementNS(SPACE, "math");
  piece.setAttribute("displaystyle", "true");
  piece.append(...parts);
  return piece;
}
