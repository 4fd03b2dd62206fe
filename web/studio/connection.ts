// The one web socket: questions with answers, messages to whoever listens, frames of numbers.
import type { Frame, FrameHeader } from "./protocol";
import { VERSION } from "./protocol";

type Message = { type: string; id?: number; [key: string]: unknown };
type Listener = (message: never) => void;

export interface Answer {
  label: string;
  arguments: Record<string, unknown>;
}

/** What the server refused or could not do, in words. */
export class Refused extends Error {
  constructor(
    readonly what: string,
    readonly cure = "",
    readonly elements: string[] = [],
    /** Answers it can go on with: words for a button, and arguments to add. */
    readonly choices: readonly Answer[] = [],
  ) {
    super(cure ? `${what}; ${cure}` : what);
  }
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (reason: Refused) => void;
}

const PATIENCE = [250, 500, 1000, 2000, 4000];

export class Connection {
  /** Names this window in changes that come back. */
  readonly window = crypto.randomUUID();
  private socket: WebSocket | null = null;
  private readonly listeners = new Map<string, Listener[]>();
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private tries = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Call `listener` with every message of a type; "open" and "lost" tell of the socket itself. */
  on<T>(type: string, listener: (message: T) => void): void {
    const own = this.listeners.get(type) ?? [];
    this.listeners.set(type, [...own, listener as Listener]);
  }

  open(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      socket.send(
        JSON.stringify({ type: "hello", token: this.token, version: VERSION, window: this.window }),
      );
    });
    socket.addEventListener("message", ({ data }) => this.receive(data as string | ArrayBuffer));
    socket.addEventListener("close", (event) => this.lost(event));
    this.socket = socket;
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Tell the server something that has no answer. */
  tell(type: string, content: object = {}): void {
    if (this.isOpen) this.socket!.send(JSON.stringify({ type, ...content }));
  }

  /** Ask for something; rejects with `Refused`. */
  ask<T>(type: string, content: object = {}): Promise<T> {
    const id = ++this.number;
    if (!this.isOpen)
      return Promise.reject(new Refused("the studio does not answer", "is it still running?"));
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.socket!.send(JSON.stringify({ type, id, ...content }));
    });
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const frame = readFrame(data);
      if (!this.answer(frame.header.id, frame)) this.call(frame.header.type, frame);
      return;
    }
    const message = JSON.parse(data) as Message;
    if (message.type === "welcome") {
      this.tries = 0;
      this.call("open", message);
    }
    if (message.type === "refused" && message.id !== undefined) {
      const { what, cure, elements, choices } = message as unknown as Refused;
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      waiting?.reject(new Refused(what, cure, elements, choices));
      return;
    }
    if (!this.answer(message.id, message)) this.call(message.type, message);
  }

  private answer(id: number | undefined, answer: unknown): boolean {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (!waiting) return false;
    this.waiting.delete(id!);
    waiting.resolve(answer as never);
    return true;
  }

  private call(type: string, message: unknown): void {
    for (const listener of this.listeners.get(type) ?? []) listener(message as never);
  }

  private lost(event: CloseEvent): void {
    const refused = new Refused("the studio does not answer", "is it still running?");
    for (const { reject } of this.waiting.values()) reject(refused);
    this.waiting.clear();
    this.call("lost", event);
    if (event.code === 1008) return;
    const pause = PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)];
    setTimeout(() => this.open(), pause);
  }
}

/** Length of the header, header, times, columns. */
export function readFrame(data: ArrayBuffer): Frame {
  const length = new DataView(data).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(data, 4, length));
  const header = JSON.parse(text) as FrameHeader;
  const start = 8 * Math.ceil((4 + length) / 8);
  const numbers = new Float64Array(data, start);
  const { count } = header;
  const columns = Array.from({ length: numbers.length / (count || 1) }, (_, k) =>
    numbers.subarray(k * count, (k + 1) * count),
  );
  return { header, time: columns[0] ?? new Float64Array(), columns: columns.slice(1) };
}
