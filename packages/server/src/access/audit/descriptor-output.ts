/** Audit events on the standard output. */

import { write } from 'node:fs';
import type { Clock } from '@listwatch/storage';
import type { AppendedLines } from './rotating-file.ts';

/** How long a full pipe is left alone. */
const FULL_MS = 5;

/** Writes to a descriptor from a thread of its own: a reader that has stopped must not stop the server. */
export class DescriptorOutput {
  readonly #descriptor: number;
  readonly #clock: Clock;

  constructor(descriptor: number, clock: Clock) {
    this.#descriptor = descriptor;
    this.#clock = clock;
  }

  async open(): Promise<void> {}

  async append(lines: readonly string[]): Promise<AppendedLines> {
    const bytes = Buffer.from(lines.join(''));
    let written = 0;
    try {
      while (written < bytes.length) written += await this.#write(bytes, written);
      return { lines: lines.length };
    } catch (error) {
      return { lines: 0, error };
    }
  }

  async close(): Promise<void> {}

  #write(bytes: Buffer, from: number): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#descriptor, bytes, from, (error, count) => {
        if (error === null) resolve(count);
        else if (error.code === 'EAGAIN') this.#clock.after(FULL_MS, () => resolve(0));
        else reject(error);
      });
    });
  }
}
