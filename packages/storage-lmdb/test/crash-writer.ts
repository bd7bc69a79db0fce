/**
 * The child of the crash test: commits without end and reports each acknowledgement, until it is killed.
 *
 * Arguments: the store's folder, a seed, and the revision up to which it may compact.
 */

import { writeSync } from 'node:fs';
import { openLmdbEngine } from '../src/index.ts';

const [folder = '', seed = '1', compactTo = '0'] = process.argv.slice(2);

let state = Number(seed);
/** A small linear congruential generator: the same seed gives the same changes. */
function random(below: number): number {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const WRITERS = 16;
const KEYS = 200;

/** To the pipe at once, not into a buffer that dies with the process: what the parent reads was acknowledged. */
function report(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The parent is busy and the pipe is full.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const engine = await openLmdbEngine({ path: folder });
report(`open ${await engine.revision()}`);

async function write(writer: number): Promise<void> {
  for (let i = 0; ; i += 1) {
    const key = `/k/${random(KEYS)}`;
    const remove = random(5) === 0;
    const text = `${seed}/${writer}/${i}/${'x'.repeat(random(3000))}`;
    const change = remove
      ? ({ type: 'delete', key } as const)
      : ({ type: 'put', key, value: Buffer.from(text) } as const);
    const result = await engine.commit(change);
    if (result.committed) report(`${result.revision} ${change.type} ${key} ${remove ? '' : text}`);
  }
}

if (Number(compactTo) > 1) void engine.compact(BigInt(compactTo)).catch(() => undefined);
await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
