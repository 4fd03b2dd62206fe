// MathML from the server, made element by element: only what mathematics needs gets into the page.

const SPACE = "http://www.w3.org/1998/Math/MathML";
const TIMES = "\u2062";
const APPLIED = "\u2061";
const ELEMENTS = new Set(
  (
    "math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder " +
    "munderover mtable mtr mtd mstyle mpadded mphantom"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "data-name data-owner display mathvariant stretchy fence separator form accent accentunder " +
    "columnalign rowspacing columnspacing lspace rspace width height depth linethickness largeop " +
    "movablelimits minsize maxsize symmetric displaystyle scriptlevel"
  ).split(" "),
);

/** The element of a text of MathML; null if it is none. */
export function mathOf(text: string): Element | null {
  const xml = new DOMParser().parseFromString(text, "application/xml");
  const root = xml.documentElement;
  if (root.localName !== "math" || xml.querySelector("parsererror")) return null;
  return copied(root);
}

function copied(source: Element): Element {
  const known = ELEMENTS.has(source.localName);
  const made = document.createElementNS(SPACE, known ? source.localName : "mtext");
  for (const { name, value } of source.attributes) {
    if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  }
  if (!known) {
    made.textContent = source.textContent;
    return made;
  }
  for (const child of source.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) made.append(copied(child as Element));
    else if (child.nodeType === Node.TEXT_NODE) made.append(child.nodeValue ?? "");
  }
  if (made.localName === "mo") keepApart(made, source);
  return made;
}

/** A little room where names stand side by side: at products without a sign, and at functions. */
function keepApart(sign: Element, source: Element): void {
  const next = source.nextElementSibling?.textContent ?? "";
  const isProduct = sign.textContent === TIMES;
  const isFunction = sign.textContent === APPLIED && !next.startsWith("(");
  if (isProduct || isFunction) sign.setAttribute("rspace", isProduct ? "0.12em" : "0.17em");
}
