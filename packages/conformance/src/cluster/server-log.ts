/** What a server writes, line by line, and which lines say that something is wrong with the server itself. */

const MAX_LINES = 5000;
const MAX_LINE = 2000;

/** A rejection that nobody handles, a failure that nobody foresaw, a leak that Node warns of, and the lines of a stack. */
const ALARM =
  /unhandled|uncaught|failed unexpectedly|\b(?:Type|Range|Reference|Syntax)Error\b|MaxListenersExceeded|DeprecationWarning|^\s+at .+:\d+:\d+\)?$/iu;

export interface ServerLogLine {
  /** By `performance.now`. */
  readonly at: number;
  readonly text: string;
}

/** The log of one server over all its lives. */
export class ServerLog {
  /** The newest lines. */
  readonly lines: ServerLogLine[] = [];
  /** Lines that look like a bug, until somebody takes them. */
  readonly alarms: string[] = [];
  readonly #onLine: ((line: ServerLogLine) => void) | undefined;
  #rest = '';

  constructor(onLine?: (line: ServerLogLine) => void) {
    this.#onLine = onLine;
  }

  /** Takes what came; a line may come in several pieces. */
  take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#add(line.slice(0, MAX_LINE));
  }

  /** The process ended: what it wrote last may have no end of line. */
  end(): void {
    if (this.#rest !== '') this.take('\n');
  }

  /** The lines since a time, by `performance.now`. */
  since(at: number): readonly string[] {
    return this.lines.filter((line) => line.at >= at).map(({ text }) => text);
  }

  /** For an error message. */
  get tail(): string {
    return [...this.lines.slice(-30).map(({ text }) => text), this.#rest].join('\n');
  }

  #add(text: string): void {
    const line = { at: performance.now(), text };
    this.lines.push(line);
    if (this.lines.length > MAX_LINES) this.lines.shift();
    if (ALARM.test(text)) this.alarms.push(text);
    this.#onLine?.(line);
  }
}
