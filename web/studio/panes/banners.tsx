// What the user should know now: the connection, the file on disk, changes left behind, notices.
import { render } from "preact";
import { h } from "../../src/ui/dom";
import type { Studio } from "../studio";
import type { FileState } from "./file";
import { Sign } from "./sign";

interface Parts {
  studio: Studio;
  file: FileState;
}

export function banners(parts: Parts): HTMLElement {
  const element = h("div", { class: "banners", role: "status", "aria-live": "polite" });
  render(<Banners {...parts} />, element);
  return element;
}

function Banners({ studio, file }: Parts) {
  return (
    <>
      <Lost studio={studio} file={file} />
      <OnDisk file={file} />
      <LeftBehind file={file} />
      <Notice studio={studio} />
    </>
  );
}

type Kind = "bad" | "warn" | "note";

interface BannerProps {
  kind: Kind;
  text: string;
  actions?: [label: string, act: () => void][];
  close?: () => void;
}

function Banner({ kind, text, actions = [], close }: BannerProps) {
  return (
    <div class={`banner ${kind}`}>
      <p>{text}</p>
      {actions.map(([label, act]) => (
        <button key={label} type="button" onClick={act}>
          {label}
        </button>
      ))}
      {close && (
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          <Sign name="close" />
        </button>
      )}
    </div>
  );
}

function Lost({ studio, file }: Parts) {
  if (studio.connected.value || !file.greeted.value) return null;
  if (!studio.document.value)
    return <Banner kind="bad" text="This address is not the one that pliant studio printed." />;
  const text = file.ended.value
    ? "This studio has ended. What you typed is still here: copy it, and start pliant studio again."
    : "The connection to the studio is lost; trying again. You can go on typing: nothing is lost.";
  return <Banner kind="bad" text={text} actions={[["Copy the text", () => file.copy()]]} />;
}

function OnDisk({ file }: { file: FileState }) {
  switch (file.disk.value) {
    case "changed":
      return (
        <Banner
          kind="warn"
          text="The file was changed by another program, and you have changes of your own."
          actions={[
            ...(file.theirs.value === null
              ? []
              : ([["Compare", () => file.compareTheirs()]] as [string, () => void][])),
            ["Keep mine", () => void file.keepMine()],
            ["Take theirs", () => void file.takeTheirs()],
          ]}
        />
      );
    case "gone":
      return (
        <Banner
          kind="warn"
          text="The file is no longer on disk. Saving writes it again."
          actions={[["Save", () => void file.save(true)]]}
        />
      );
    default:
      return null;
  }
}

function LeftBehind({ file }: { file: FileState }) {
  const when = file.journal.value;
  if (when === null) return null;
  return (
    <Banner
      kind="warn"
      text={`Changes that were never saved were found, from ${when}.`}
      actions={[
        ["Recover", () => void file.answerJournal("recover")],
        ["Look", () => void file.lookAtJournal()],
        ["Discard", () => void file.answerJournal("discard")],
      ]}
    />
  );
}

function Notice({ studio }: { studio: Studio }) {
  const notice = studio.notice.value;
  if (!notice) return null;
  const kind = notice.kind === "error" ? "bad" : "note";
  return <Banner kind={kind} text={notice.text} close={() => (studio.notice.value = null)} />;
}
