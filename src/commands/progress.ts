/** What is going on, on standard error: one line that updates on a terminal, plain lines for long batches elsewhere. */

/** A line about work in progress. */
export interface Progress {
  step(what: string): void;
  /** Takes the line away, so that something else can be printed; the next tick brings it back. */
  clear(): void;
  stop(): void;
}

const silent: Progress = { step: () => undefined, clear: () => undefined, stop: () => undefined };
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const firstMs = 1000;
const everyMs = 120;

/** For one grade: says what is being done once it takes longer than a second; silent off a terminal. */
export function gradeProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return silent;
  return liveLine(stream, (what, seconds, frame) => `${frame} ${what} · ${seconds} s`);
}

/** How far a batch is. */
export interface BatchCount {
  readonly done: number;
  /** Undefined where the inputs are still coming. */
  readonly total: number | undefined;
}

/** For many: a bar on a terminal, and elsewhere `37/100` every few seconds in which something came. */
export function batchProgress(
  count: () => BatchCount,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  if (stream.isTTY) return liveLine(stream, (_what, seconds) => `${bar(count())} · ${seconds} s`);
  let said = 0;
  const timer = setInterval(() => {
    const now = count();
    if (now.done > said) stream.write(`${plain(now)}\n`);
    said = now.done;
  }, 5000);
  timer.unref();
  return { ...silent, stop: () => clearInterval(timer) };
}

type Draw = (what: string, seconds: number, frame: string) => string;

function liveLine(stream: NodeJS.WriteStream, draw: Draw): Progress {
  const started = performance.now();
  let [what, frame, isShown] = ["starting", 0, false];
  const clear = () => {
    if (isShown) stream.write("\r\u001b[2K");
    isShown = false;
  };
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < firstMs) return;
    const line = draw(what, Math.floor(elapsed / 1000), frames[frame++ % frames.length] ?? "");
    stream.write(`\r\u001b[2K${line.slice(0, (stream.columns || 80) - 1)}`);
    isShown = true;
  }, everyMs);
  timer.unref();
  return {
    step: (next) => {
      what = next;
    },
    clear,
    stop: () => {
      clearInterval(timer);
      clear();
    },
  };
}

function plain({ done, total }: BatchCount): string {
  return total === undefined ? `${done} done` : `${done}/${total}`;
}

function bar(count: BatchCount): string {
  const { done, total } = count;
  if (total === undefined) return plain(count);
  const width = 24;
  const full = total === 0 ? width : Math.round((done / total) * width);
  return `${"━".repeat(full)}${"─".repeat(width - full)} ${plain(count)}`;
}
