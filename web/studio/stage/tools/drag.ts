// A mechanism is dragged: the server holds its joints, the page draws where that puts the bodies.
import { Table } from "../../../src/data/table";
import type { PageData, Triple } from "../../../src/data/types";
import type { StartData } from "../../protocol";
import { NewestNext } from "../../run/queue";
import type { StageContext } from "./context";

/** A value of a joint's coordinate, or a place for a point of a body. */
export type Wish =
  | { joint: string; coordinate: string; value: number }
  | { body: string; point: Triple; to: Triple };

export interface PoseData extends Pick<StartData, "time" | "series" | "numbers"> {
  joints: Record<string, Record<string, { value: number; unit: string }>>;
  reached: boolean;
  /** There was no time to get there; the next move goes on. */
  unfinished: boolean;
  reason: { what: string; cure: string; elements: string[] } | null;
  /** With the last move: what the file must say. */
  file?: Record<"initial" | "guess" | "bodies", Record<string, Record<string, unknown>>>;
}

let drags = 0;

export class PoseDrag {
  private readonly id = `${Date.now().toString(36)}-${++drags}`;
  private readonly moves = new NewestNext<Wish>((wish) => this.ask(wish));
  private isOver = false;
  private last: Wish | null = null;

  constructor(
    private readonly stage: StageContext,
    /** Coordinates as they are now. */
    private readonly onPose: (data: PoseData) => void = () => {},
  ) {
    stage.showStart();
  }

  move(wish: Wish): void {
    this.last = wish;
    this.moves.push(wish);
  }

  private async ask(wish: Wish): Promise<void> {
    try {
      const data = await this.look(wish);
      const table = await tableOf(data);
      if (this.isOver) return;
      this.draw(data, table);
      if (data.unfinished && this.last === wish) this.moves.push(wish);
    } catch (error) {
      if (!this.isOver) this.stage.tell(error instanceof Error ? error.message : String(error));
    }
  }

  private look(wish: Wish, more: object = {}): Promise<PoseData> {
    return this.stage.studio.look<PoseData>("pose", { drag: this.id, ...wish, ...more });
  }

  private draw(data: PoseData, table: Table): void {
    this.stage.take(table);
    const { what, cure } = data.reason ?? { what: "", cure: "" };
    this.stage.tell([what, cure].filter(Boolean).join("; "));
    this.onPose(data);
  }

  /** Let go: the file starts in this pose, one step of the history. */
  async release(): Promise<boolean> {
    const wish = this.last;
    this.moves.clear();
    this.isOver = true;
    if (!wish) return false;
    try {
      const data = await this.look(wish, { release: true });
      this.draw(data, await tableOf(data));
      const file = data.file!;
      const isSaid = !Object.values(file).some((part) => Object.keys(part).length);
      const done = isSaid ? null : await this.stage.studio.do("mechanism.pose", file);
      if (!done) this.stage.restore();
      return done !== null;
    } catch (error) {
      this.stage.restore();
      this.stage.tell(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Everything as it was before. */
  cancel(): void {
    this.isOver = true;
    this.moves.clear();
    this.stage.tell("");
    this.stage.restore();
  }
}

function tableOf(data: PoseData): Promise<Table> {
  return Table.read(data as unknown as PageData);
}
