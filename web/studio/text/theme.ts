// How the editor looks: the colours of the page, in both themes.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const MONO = "ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, monospace";

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: MONO, lineHeight: "1.55" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": {
    backgroundColor: "var(--paper)",
    color: "var(--muted)",
    border: "0",
    borderRight: "1px solid var(--line)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 10px", minWidth: "34px" },
  ".cm-foldGutter .cm-gutterElement": { padding: "0 4px", cursor: "pointer" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "3px 1px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--hover)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-hovered-element": { backgroundColor: "var(--hover)" },
  ".cm-selected-element, &.cm-focused .cm-selected-element.cm-activeLine": {
    backgroundColor: "var(--chosen)",
    boxShadow: "inset 3px 0 0 var(--accent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--marked)" },
  ".cm-selectionMatch": { backgroundColor: "var(--hover)", outline: "1px solid var(--line)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--muted)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--marked)" },
  ".cm-foldPlaceholder": {
    padding: "0 6px",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    backgroundColor: "var(--soft)",
    color: "var(--muted)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lint-marker-error": { content: "none" },
  ".cm-lint-marker": { width: "12px", height: "12px" },
  ".cm-lint-marker-error::before": {
    content: "'!'",
    display: "block",
    width: "13px",
    height: "13px",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
    color: "var(--paper)",
    font: "bold 10px/13px system-ui, sans-serif",
    textAlign: "center",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "6px",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    boxShadow: "0 4px 16px rgb(0 0 0 / 18%)",
    fontFamily: "system-ui, sans-serif",
    fontSize: "12.5px",
    overflow: "hidden",
    zIndex: "20",
  },
  ".cm-tooltip-section": { border: "0" },
  ".cm-tooltip-section:not(:first-child)": { borderTop: "1px solid var(--line)" },
  ".cm-diagnostic": { padding: "7px 12px", maxWidth: "460px", border: "0", whiteSpace: "normal" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic .cure": { display: "block", marginTop: "2px", color: "var(--muted)" },
  ".card": { padding: "7px 12px", maxWidth: "460px", lineHeight: "1.45" },
  ".card b": { fontWeight: "650" },
  ".card .muted": { color: "var(--muted)" },
  ".card p": { margin: "2px 0 0" },
  ".card .law": { fontFamily: MONO, fontSize: "12px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "inherit",
    maxHeight: "17em",
    minWidth: "220px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionLabel": { fontFamily: MONO },
  ".cm-completionDetail": { marginLeft: "12px", color: "var(--muted)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "340px" },
  ".cm-panels": { backgroundColor: "var(--soft)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "5px 28px 5px 8px", fontFamily: "system-ui, sans-serif" },
  ".cm-panel.cm-search label": { fontSize: "12px" },
  ".cm-textfield, .cm-button": {
    border: "1px solid var(--line)",
    borderRadius: "5px",
    backgroundColor: "var(--paper)",
    backgroundImage: "none",
    color: "var(--ink)",
    fontSize: "12px",
  },
  ".cm-textfield:focus, .cm-button:focus-visible, .cm-panel input:focus-visible": {
    outline: "2px solid var(--accent)",
    outlineOffset: "0",
  },
  ".cm-panel.cm-search input[type=checkbox]": { verticalAlign: "-2px" },
  ".cm-button:hover": { borderColor: "var(--accent)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--muted)", fontSize: "16px" },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--word)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: "var(--reaction)" },
  {
    tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace],
    color: "var(--muted)",
  },
]);

export const theme: Extension = [look, syntaxHighlighting(colours)];
