/** Jobs for the tests of the pool. */

import { badRequest } from '@listwatch/api';
import type { ComputeJob, JobContext } from './compute-job.ts';

interface Text {
  readonly bytes: Uint8Array;
}

function job<Input extends object, Output extends object>(
  run: (input: Input, context: JobContext) => Output | Promise<Output>,
): ComputeJob<Input, Output> {
  return { run };
}

export const FIXTURE_JOBS = {
  upper: job(({ bytes }: Text): Text => ({ bytes: Buffer.from(Buffer.from(bytes).toString().toUpperCase()) })),
  refuse: job((_: object, { warn }): object => {
    warn('odd');
    throw badRequest('not this one');
  }),
  throw: job((): object => {
    throw new TypeError('a bug');
  }),
  function: job((): object => ({ it: () => 1 })),
  spin: job((): object => {
    for (;;);
  }),
  exit: job((): object => process.exit(3)),
  fill: job((): object => {
    const all: number[][] = [];
    for (;;) all.push(Array.from({ length: 100_000 }, () => 0.5));
  }),
  /** The answers to two questions, one after the other. */
  ask: job(async ({ text }: { readonly text: string }, { ask }) => {
    const first = await ask({ text, bytes: Buffer.from(text) });
    return { first, second: await ask({ text: 'second' }) };
  }),
  askTwice: job(async (_: object, { ask }) => ({ all: await Promise.all([ask({}), ask({})]) })),
  /** How often the shared value was read, and the value. */
  shared: job(({ key }: { readonly key: string }, { shared }) => ({
    text: shared(key, (bytes) => {
      reads += 1;
      return Buffer.from(bytes).toString();
    }),
    reads,
  })),
} as const;

let reads = 0;
