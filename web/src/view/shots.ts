// Pictures and films of the view as it is seen, with names, directions and the time.
import type { Names } from "./names";
import type { Viewer } from "./viewer";

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const RATE = 30;
const BITS = 8e6;

/** The best kind of film this browser encodes; null: none. */
export function filmType(): string | null {
  if (typeof MediaRecorder === "undefined") return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export class Shots {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private recorder: MediaRecorder | null = null;

  /** `name` of files, without their ending. */
  constructor(
    private readonly viewer: Viewer,
    private readonly names: Names,
    private readonly name: () => string,
  ) {}

  /** All that is seen, on the canvas of shots. */
  private compose(): void {
    const { canvas, compass, clock } = this.viewer;
    const { context } = this;
    const { width, height } = this.canvas;
    const scale = width / canvas.clientWidth;
    context.resetTransform();
    context.drawImage(canvas, 0, 0, width, height);
    context.scale(scale, scale);
    this.names.draw(context);
    context.font = "12px system-ui, sans-serif";
    compass.draw(context, width / scale, height / scale);
    if (!(clock.timeline.duration > 0)) return;
    context.fillStyle = getComputedStyle(canvas).color;
    context.textAlign = "left";
    context.fillText(`t = ${clock.time.toPrecision(4)} s`, 14, height / scale - 16);
  }

  /** As large as the canvas of the view; films have an even number of pixels. */
  private measure(): void {
    const { canvas } = this.viewer;
    this.canvas.width = canvas.width & ~1;
    this.canvas.height = canvas.height & ~1;
  }

  /** A picture as a file. */
  picture(): void {
    this.viewer.still(() => {
      this.measure();
      this.compose();
    });
    this.canvas.toBlob((blob) => blob && this.hand(blob, "png"), "image/png");
  }

  get isRecording(): boolean {
    return this.recorder !== null;
  }

  /** Play the run from its start to its end, once, and hand over the film; it ends earlier where
   *  somebody pauses or calls `stop`. */
  record(changed: () => void): void {
    const mimeType = filmType();
    const { viewer } = this;
    const { clock } = viewer;
    if (!mimeType || this.recorder || !(clock.timeline.duration > 0)) return;
    this.measure();
    const recorder = new MediaRecorder(this.canvas.captureStream(RATE), {
      ...{ mimeType, videoBitsPerSecond: BITS },
    });
    const parts: Blob[] = [];
    const compose = () => this.compose();
    const { loop } = clock;
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => this.hand(new Blob(parts, { type: "video/webm" }), "webm");
    this.recorder = recorder;
    clock.change({ loop: false });
    clock.seek(clock.timeline.start);
    viewer.followers.add(compose);
    recorder.start();
    clock.play();
    const end = () => {
      if (this.recorder !== recorder) return;
      this.recorder = null;
      unfollow();
      clock.change({ loop });
      changed();
      setTimeout(() => {
        viewer.followers.delete(compose); // the last picture is in it
        recorder.stop();
      }, 3000 / RATE);
    };
    const unfollow = clock.follow(() => clock.playing || end());
    changed();
  }

  stop(): void {
    this.viewer.clock.pause();
  }

  private hand(blob: Blob, ending: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.name().replace(/[^\p{L}\p{N}._-]+/gu, "_") || "pliant"}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}
