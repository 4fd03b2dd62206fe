// MathML from the server, made element by element: only what mathematics needs gets into the page.

const SPACE = "http://www.w3.org/1998/Math/MathML";
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
  return made;
}
