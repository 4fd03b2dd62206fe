// The studio's page: one connection, one state, and the parts of the window that follow it.
import { effect, untracked } from "@preact/signals";
import { h } from "../src/ui/dom";
import { Connection } from "./connection";
import { equationsView } from "./equations";
import { bondView, linearView } from "./graph";
import { inspectorView } from "./inspector/inspector";
import { Editing } from "./editing";
import { Arrangement } from "./panes/arrangement";
import { Asker } from "./panes/asker";
import { banners } from "./panes/banners";
import { Desk } from "./panes/desk";
import { askWhich } from "./panes/dialogs";
import { type Actions, Doing } from "./panes/doing";
import { FaultWalk } from "./panes/faults";
import { FileState } from "./panes/file";
import { Files } from "./panes/files";
import { foot } from "./panes/foot";
import { head } from "./panes/head";
import { PANE_KINDS, type PaneKind } from "./panes/layout";
import { palette } from "./panes/palette";
import { sides } from "./panes/sides";
import { StartPage } from "./panes/start";
import { resultsView } from "./results";
import { clockBar, runControls, slidersPanel } from "./run";
import { stageView } from "./stage";
import { Studio, type View } from "./studio";
import "./style/studio.css";
import { textView } from "./text";
import { place } from "./text/place";
import { SharedText } from "./text/shared";
import { Tour } from "./tour/tour";
import { keepPins, unpinAll } from "./tree/pinned";
import { treeView } from "./tree/tree";

const TOKEN = "pliant-studio-token";

/** The token of the address, which then goes from it; kept while this tab lives. */
function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given ?? sessionStorage.getItem(TOKEN) ?? "";
}

function paneOfAddress(): PaneKind | null {
  const asked = new URLSearchParams(location.search).get("pane") as PaneKind | null;
  return asked && PANE_KINDS.includes(asked) ? asked : null;
}

function open(root: HTMLElement): void {
  const wantsTour = new URLSearchParams(location.hash.slice(1)).has("tour");
  const token = takeToken();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const connection = new Connection(`${scheme}://${location.host}/socket`, token);
  const studio = new Studio(connection);
  const text = new SharedText(studio);
  studio.asks = askWhich;
  studio.settled = () => text.settled();
  const file = new FileState(studio, text);
  const files = new Files(studio, text);
  const arrangement = new Arrangement(paneOfAddress());
  const tour = new Tour();
  const start = new StartPage({
    studio,
    files,
    tour: () => tour.begin(),
    open: () => void files.ask("open"),
  });
  connection.open(); // answers come when everything below is there

  const makers: Record<PaneKind, () => View> = {
    stage: () => stageView(studio),
    bond: () => bondView(studio),
    linear: () => linearView(studio),
    text: () => textView(studio, text),
    equations: () => equationsView(studio),
    results: () => resultsView(studio),
  };
  const openWindow = (kind: string) =>
    void window.open(
      `/?pane=${kind}#token=${encodeURIComponent(token)}`,
      "_blank",
      "width=900,height=700",
    );

  const run = runControls(studio);
  const clock = clockBar(studio);
  const asker = new Asker();
  const inspect = () => void inspectSelected(studio, arrangement, inspector.element);
  const rename = (name: string) => {
    arrangement.tree.value = true;
    return tree.rename(name);
  };
  const editing = new Editing(studio, asker, inspect, rename, () => desk.network());
  const tree = treeView(studio, {
    do: (name) => doing.do(name),
    add: (section) => void editing.adding.add(section),
    frame: (body) => void editing.adding.frame(body),
  });
  const inspector = inspectorView(studio, slidersPanel(studio));
  const desk = new Desk(arrangement, (kind) => makers[kind](), studio, openWindow);
  const walk = new FaultWalk(studio, () => (arrangement.faults.value = true));
  const reveal = (names: ReadonlySet<string>) => {
    desk.reveal(names);
    tree.reveal?.(names);
  };
  inspector.element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) tree.focus();
  });
  tree.element.addEventListener("dblclick", () => reveal(studio.selection.peek()));

  const middle = sides(arrangement, tree.element, desk.element, inspector.element);
  middle.append(start.element);
  const actions = actionsOf({
    studio,
    text,
    file,
    files,
    arrangement,
    desk,
    walk,
    reveal,
    run,
    clock,
  });
  const help = { start: () => void start.show(), tour: () => tour.begin() };
  const doing: Doing = new Doing(studio, { ...actions, ...editing.actions, ...help }, () =>
    desk.ofViews(),
  );
  root.replaceChildren(
    head({ studio, text, doing, arrangement, run }),
    banners({ studio, file }),
    middle,
    foot({ studio, arrangement, walk, clock }),
    palette({ studio, doing, arrangement, reveal }),
    files.element,
    asker.element,
    tour.element,
    announcements(studio),
  );
  doing.listen(document);
  editing.listen(document);
  const greet = effect(() => {
    const opened = studio.document.value;
    if (!opened) return;
    const isFirst = opened.text.trim() === "" && opened.path === "" && !tour.isSeen;
    if (wantsTour || isFirst) untracked(() => tour.begin());
    queueMicrotask(() => greet());
  });
  effect(() => {
    if (place.value) untracked(() => arrangement.ensure("text"));
  });
  keepPins(studio);
  effect(() => {
    if (studio.others.value > 0) untracked(() => unpinAll());
  });
  follow(root, studio, text, file);
}

/** What assistive technology reads out when it changes: what was done, and what is wrong now. */
function announcements(studio: Studio): HTMLElement {
  const element = h("p", { class: "unseen", role: "status", "aria-live": "polite", id: "said" });
  let known = new Set<string>();
  studio.onChange(({ label }) => {
    if (label && label !== "typing") studio.announce(label);
  });
  effect(() => {
    const faults = studio.faults.value.faults.map((f) =>
      [f.element, f.what, f.cure].filter(Boolean).join(": "),
    );
    const added = faults.filter((fault) => !known.has(fault));
    known = new Set(faults);
    untracked(() => {
      const said = studio.said.peek();
      if (added.length > 0) studio.announce(`${said ? `${said}. ` : ""}Fault: ${added[0]}`);
    });
  });
  effect(() => {
    element.textContent = studio.said.value;
  });
  return element;
}

interface Parts {
  studio: Studio;
  text: SharedText;
  file: FileState;
  files: Files;
  arrangement: Arrangement;
  desk: Desk;
  walk: FaultWalk;
  reveal: (names: ReadonlySet<string>) => void;
  run: HTMLElement;
  clock: HTMLElement;
}

/** Press a button that somebody else made. */
function press(within: HTMLElement, command: string): boolean {
  const button = within.querySelector<HTMLButtonElement>(`[data-command="${command}"]`);
  if (!button || button.disabled || button.hidden) return false;
  button.click();
  return true;
}

/** Who carries out which command. */
function actionsOf(parts: Parts): Actions {
  const { studio, text, file, files, arrangement, desk, walk, reveal, run, clock } = parts;
  const history = (step: () => void) => async () => {
    await text.settled();
    text.followNext();
    step();
  };
  const checked = (step: () => void) => async () => {
    await text.settled();
    await studio.checked();
    step();
  };
  const flip = (part: { value: boolean }) => () => (part.value = !part.value);
  const focusNext = (by: 1 | -1) => () => {
    const [left, right] = document.querySelectorAll<HTMLElement>(".side");
    const stops = [left, ...desk.stops(), right].filter((e) => e && !e.hidden);
    const at = stops.findIndex((e) => e.contains(document.activeElement));
    focusInto(stops[(at + by + stops.length) % stops.length]);
  };
  return {
    undo: history(() => studio.undo()),
    redo: history(() => studio.redo()),
    open: () => void files.ask("open"),
    new: () => void files.ask("new"),
    save: () => void file.save(),
    "save.as": () => void file.saveAs(),
    find: () => (arrangement.palette.value = true),
    run: checked(() => press(run, "run")),
    stop: () => {
      if (!press(run, "stop")) studio.select([]);
    },
    play: () => void press(clock, "play"),
    "fault.next": checked(() => walk.step(1)),
    "fault.previous": checked(() => walk.step(-1)),
    faults: flip(arrangement.faults),
    fit: () => desk.activeView?.fit?.(),
    reveal: () => reveal(studio.selection.peek()),
    "pane.next": focusNext(1),
    "pane.previous": focusNext(-1),
    "pane.right": () => desk.divide("row"),
    "pane.below": () => desk.divide("column"),
    "pane.close": () => desk.close(),
    "pane.window": () => desk.open(),
    "preset.model": () => arrangement.choose("model"),
    "preset.graph": () => arrangement.choose("graph"),
    "preset.text": () => arrangement.choose("text"),
    "preset.results": () => arrangement.choose("results"),
    tree: flip(arrangement.tree),
    inspector: flip(arrangement.inspector),
  };
}

/** Give the focus to what a part has for it: its editor, its canvas, its tree; else to itself. */
function focusInto(part: HTMLElement | undefined): void {
  const editor = part
    ?.querySelector(".text-view")
    ?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
  const inner = part?.querySelector<HTMLElement>(
    '.pane-body [tabindex="0"], [role=treeitem][tabindex="0"]',
  );
  (editor ?? inner ?? part)?.focus();
}

/** Milliseconds to wait for the fields of what was just selected. */
const FIELDS = 2000;

/** Give the focus to the first field of what is selected, as soon as it is there. */
async function inspectSelected(
  studio: Studio,
  arrangement: Arrangement,
  inspector: HTMLElement,
): Promise<void> {
  arrangement.inspector.value = true;
  const [name] = studio.selection.peek();
  const before = document.activeElement;
  const until = performance.now() + FIELDS;
  const found = () =>
    inspector.querySelector<HTMLElement>(`.form[data-form="${CSS.escape(name)}"]`);
  while (!found() && performance.now() < until) await new Promise((r) => setTimeout(r, 30));
  const isElsewhere = ![before, document.body].includes(document.activeElement);
  if (isElsewhere || document.querySelector("dialog[open]")) return; // the user has gone on
  const form = found();
  const first =
    form?.querySelector<HTMLElement>(".row:not([data-field=kind]) :is(input, select)") ??
    form?.querySelector<HTMLElement>("input, select, textarea, summary");
  (first ?? inspector.querySelector<HTMLElement>("button"))?.focus();
}

/** Title of the window, and whether the page can be worked with. */
function follow(root: HTMLElement, studio: Studio, text: SharedText, file: FileState): void {
  effect(() => {
    const name = studio.document.value?.name;
    const isUnsaved = studio.document.value?.saved === false || text.unsent.value;
    document.title = name ? `${isUnsaved ? "● " : ""}${name} – Pliant Studio` : "Pliant Studio";
  });
  effect(() => {
    if (root.dataset.ready || !(studio.document.value || file.ended.value)) return;
    root.dataset.ready = "true";
    performance.mark("ready");
  });
  window.addEventListener("beforeunload", (event) => {
    if (text.unsent.peek()) event.preventDefault();
  });
}

open(document.getElementById("pliant")!);
