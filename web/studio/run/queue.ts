// Requests that follow a moving slider: one under way, the newest next, those between left out.

export class NewestNext<T> {
  private isBusy = false;
  private next: T | null = null;

  /** `start` ends when the request has been answered in full, well or not. */
  constructor(private readonly start: (request: T) => Promise<void>) {}

  push(request: T): void {
    this.next = request;
    if (!this.isBusy) void this.run();
  }

  /** Forget what has not begun. */
  clear(): void {
    this.next = null;
  }

  get busy(): boolean {
    return this.isBusy;
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.next !== null) {
      const request = this.next;
      this.next = null;
      await this.start(request).catch(() => undefined);
    }
    this.isBusy = false;
  }
}
