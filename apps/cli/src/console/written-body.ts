/**
 * Reads the bodies of writes whole: one may have to be sent again with new credentials. So they are bounded in size, in number
 * and in time.
 */

import type { IncomingMessage } from 'node:http';
import { type Clock, failure, requestEntityTooLarge, tooManyRequests } from '@listwatch/api';
import { GatheredBytes } from '@listwatch/api/internal';

/** The limit of kube-apiserver. */
const BODY_MAX_BYTES = 3 * 1024 * 1024;
/** At one time: 48 MiB at most. A page sends one or two. */
const READING_MAX = 16;
/** On loopback the largest takes milliseconds; this is for a line of a few hundred kilobits a second. */
const PATIENCE_MS = 60_000;

export class WrittenBodies {
  readonly #clock: Clock;
  #reading = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when there is none. Throws the 408, 413 or 429 as a `StatusError`; rejects when the browser has gone. */
  async read(request: IncomingMessage): Promise<Buffer | undefined> {
    if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge();
    if (this.#reading >= READING_MAX) throw tooManyRequests('the console reads too many bodies at one time', 1);
    this.#reading += 1;
    try {
      return await this.#inTime(readAll(request));
    } finally {
      this.#reading -= 1;
    }
  }

  #inTime<T>(body: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopWaiting = this.#clock.after(PATIENCE_MS, () => reject(tooSlow()));
      body.then(resolve, reject).finally(stopWaiting);
    });
  }
}

/** Listens instead of iterating: an iterator that is left destroys the request, and with it the answer that says why. */
function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const bytes = new GatheredBytes();
    request.on('data', (chunk: Buffer) => {
      if (bytes.length + chunk.length <= BODY_MAX_BYTES) bytes.add(chunk);
      else {
        request.pause();
        reject(tooLarge());
      }
    });
    request.once('end', () => resolve(bytes.length === 0 ? undefined : Buffer.concat(bytes.chunks())));
    request.once('close', () => reject(new Error('the browser has gone')));
    request.once('error', reject);
  });
}

function tooLarge(): Error {
  return requestEntityTooLarge(`the body is larger than ${BODY_MAX_BYTES} bytes`);
}

function tooSlow(): Error {
  return failure({ code: 408, reason: 'Timeout', message: `the body took longer than ${PATIENCE_MS / 1000} s` });
}
