// Says what an operation would do, before it is done: one question under way, the newest next.
import type { Pixel } from "../../../src/view/space";
import { NewestNext } from "../../run/queue";
import type { Studio } from "../../studio";
import type { Overlay } from "./overlay";

interface Asked {
  operation: string;
  args: Record<string, unknown>;
  at: Pixel | null;
}

export class Trying {
  private readonly queue = new NewestNext<Asked>((asked) => this.ask(asked));
  private last = "";
  private isShown = false;

  constructor(
    private readonly studio: Studio,
    private readonly overlay: Overlay,
  ) {}

  show(operation: string, args: Record<string, unknown>, at: Pixel | null): void {
    this.isShown = true;
    const key = JSON.stringify([operation, args]);
    if (at) this.overlay.placeCard(at);
    if (key === this.last) return;
    this.last = key;
    this.queue.push({ operation, args, at });
  }

  private async ask({ operation, args, at }: Asked): Promise<void> {
    try {
      const tried = await this.studio.try(operation, args);
      if (this.isShown) this.overlay.showCard(tried, at);
    } catch (error) {
      const refused = error instanceof Error ? error.message : String(error);
      if (this.isShown) this.overlay.showCard({ refused }, at);
    }
  }

  hide(): void {
    this.isShown = false;
    this.last = "";
    this.queue.clear();
    this.overlay.hideCard();
  }
}
