/** The log: events are written in the order in which they were made, as many at a time as have come. */

import type { AuditBackend } from './audit-backend.ts';
import { type AuditEvent, eventJson } from './audit-event.ts';
import type { AuditLosses } from './audit-losses.ts';
import type { AuditMode, AuditTruncateConfig } from './audit-options.ts';
import { legacyLine } from './legacy-line.ts';
import type { AppendedLines } from './rotating-file.ts';
import { truncatedEvent } from './truncated-event.ts';

/** Takes lines, one call after the other. */
export interface LineOutput {
  open(): Promise<void>;
  append(lines: readonly string[]): Promise<AppendedLines>;
  close(): Promise<void>;
}

/** What a log is made of. */
export interface LogBackendParts {
  readonly output: LineOutput;
  readonly format: 'json' | 'legacy';
  readonly mode: AuditMode;
  /** Lines that may wait in the mode `batch`. */
  readonly bufferSize: number;
  readonly truncate: AuditTruncateConfig | undefined;
  readonly losses: AuditLosses;
}

/** Where requests begin to wait for the disk, and what a batch may hold. */
const WAITING_MAX_BYTES = 16 * 1024 * 1024;

/** Beyond this events are lost although the log blocks: nobody waits for the last event of a client that has left. */
const UNWRITTEN_MAX_BYTES = 4 * WAITING_MAX_BYTES;

interface Writing {
  readonly done: Promise<boolean>;
  readonly settle: (isWritten: boolean) => void;
}

/** A log file, or the standard output. */
export class LogBackend implements AuditBackend {
  readonly name = 'log';
  readonly isStrict: boolean;
  readonly #parts: LogBackendParts;
  readonly #isBatch: boolean;
  #lines: string[] = [];
  #foreign: ForeignLines[] = [];
  #bytes = 0;
  /** The write that the waiting lines will be in. */
  #next: Writing | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: LogBackendParts) {
    this.#parts = parts;
    this.isStrict = parts.mode === 'blocking-strict';
    this.#isBatch = parts.mode === 'batch';
  }

  /** Lines that wait to be written. */
  get waiting(): number {
    return this.#lines.length;
  }

  take(event: AuditEvent): Promise<boolean> | undefined {
    const { truncate, losses, bufferSize, format } = this.#parts;
    const shown = truncate === undefined ? event : truncatedEvent(event, truncate.maxEventSize);
    if (shown === undefined) {
      losses.add('truncate', 1, 'event is too large');
      return undefined;
    }
    if (this.#isBatch && (this.#lines.length >= bufferSize || this.#bytes > WAITING_MAX_BYTES)) {
      losses.add('buffered', 1, 'audit buffer queue blocked');
      return undefined;
    }
    if (this.#bytes > UNWRITTEN_MAX_BYTES) {
      losses.add(this.name, 1, 'too many events wait to be written');
      return Promise.resolve(false);
    }
    const line = `${format === 'json' ? eventJson(shown) : legacyLine(shown)}\n`;
    this.#lines.push(line);
    this.#bytes += line.length;
    this.#next ??= newWriting();
    this.#running ??= this.#run();
    return this.#isBatch ? undefined : this.#next.done;
  }

  /** Appends whole lines, between those of this process. Resolves with how many were written. */
  append(lines: readonly string[]): Promise<number> {
    const { promise, settle } = newAppend();
    this.#foreign.push({ lines, settle });
    this.#next ??= newWriting();
    this.#running ??= this.#run();
    return promise;
  }

  room(): Promise<unknown> | undefined {
    return this.#isBatch || this.#bytes <= WAITING_MAX_BYTES ? undefined : this.#next?.done;
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#parts.output.close();
  }

  async #run(): Promise<void> {
    // What other requests of this turn of the loop add goes into the same write.
    await new Promise(setImmediate);
    while (this.#next !== undefined) {
      const writing = this.#next;
      const lines = this.#lines;
      this.#next = undefined;
      this.#lines = [];
      this.#bytes = 0;
      const foreign = this.#foreign;
      this.#foreign = [];
      const { lines: written, error } = await this.#parts.output.append(lines);
      this.#parts.losses.add(this.name, lines.length - written, error);
      writing.settle(written === lines.length);
      for (const one of foreign) one.settle((await this.#parts.output.append(one.lines)).lines);
    }
    this.#running = undefined;
  }
}

/** Lines of another process, which counts its losses itself. */
interface ForeignLines {
  readonly lines: readonly string[];
  readonly settle: (written: number) => void;
}

const NOTHING = (): void => {};

function newAppend(): { readonly promise: Promise<number>; readonly settle: (written: number) => void } {
  let settle: (written: number) => void = NOTHING;
  const promise = new Promise<number>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

function newWriting(): Writing {
  let settle: (isWritten: boolean) => void = NOTHING;
  const done = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { done, settle };
}
