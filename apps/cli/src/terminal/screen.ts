/** Lines on stdout, notes on stderr, and a status line that is redrawn in place below both. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { type Paint, printable } from '@listwatch/api/internal';
import type { Host, Output } from '../host.ts';

/** Back to the first column, and the line is empty. */
const ERASE = '\r\u001B[2K';
/** Not at once after each line: at a thousand lines a second the terminal would do nothing but draw the status. */
const REDRAW_MS = 50;
/** Its times go on although nothing happens. */
const TICK_MS = 1000;

/** Options of a screen. */
export interface ScreenOptions {
  readonly host: Pick<Host, 'stdout' | 'stderr'>;
  readonly clock: Clock;
  /** Paints what goes to stderr. */
  readonly paint: Paint;
  /** What the status line says now. It is shown only on a terminal. */
  readonly status?: (() => string) | undefined;
}

/** Stop it before the process ends: nothing of the status line stays on the terminal. */
export class Screen {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #status: (() => string) | undefined;
  #drawn = '';
  #cancel: CancelTimer | undefined;
  /** Does the timer that runs mean a moment, and not the next tick? */
  #isSoon = false;

  constructor({ host, clock, paint, status }: ScreenOptions) {
    this.#stdout = host.stdout;
    this.#stderr = host.stderr;
    this.#clock = clock;
    this.#paint = paint;
    this.#status = host.stderr.isTerminal ? status : undefined;
    this.#draw();
  }

  /** Writes a line of output. A promise: wait before the next one. */
  print(line: string): Promise<void> | undefined {
    // Elsewhere the output does not meet the status line, which then need not flicker.
    if (this.#stdout.isTerminal) this.#erase();
    this.#stdout.write(`${line}\n`);
    return this.#stdout.drained();
  }

  /** Writes a line for the person, beside the output. */
  note(line: string): void {
    this.#erase();
    this.#stderr.write(`${line}\n`);
  }

  /** The status may say something else now. Cheap: call it as often as you like. */
  refresh(): void {
    if (this.#status !== undefined && !this.#isSoon) this.#drawAfter(REDRAW_MS);
  }

  /** Takes the status line away for good. */
  stop(): void {
    this.#cancel?.();
    if (this.#drawn !== '') this.#stderr.write(ERASE);
    this.#drawn = '';
  }

  #erase(): void {
    if (this.#drawn === '') return;
    this.#stderr.write(ERASE);
    this.#drawn = '';
    this.refresh();
  }

  #draw(): void {
    if (this.#status === undefined) return;
    // A line that wraps could not be erased. Some terminals say 0 and mean that they do not know.
    const text = printable(this.#status()).slice(0, (this.#stderr.columns || 80) - 1);
    if (text !== this.#drawn) this.#stderr.write(`${this.#drawn === '' ? '' : ERASE}${this.#paint('dim', text)}`);
    this.#drawn = text;
    this.#drawAfter(TICK_MS);
  }

  #drawAfter(ms: number): void {
    this.#cancel?.();
    this.#isSoon = ms === REDRAW_MS;
    this.#cancel = this.#clock.after(ms, () => this.#draw());
  }
}
