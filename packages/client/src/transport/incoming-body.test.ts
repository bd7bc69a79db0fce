import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { IncomingBody } from './incoming-body.ts';

const KIB = 1024;

function bodyOf(...sizes: readonly number[]): IncomingBody {
  const source = { pause: () => {}, resume: () => {} };
  const body = new IncomingBody({ source, clock: systemClock, onIdle: () => {}, onReturn: () => {} });
  for (const [index, size] of sizes.entries()) body.push(new Uint8Array(size).fill(index));
  body.finish();
  return body;
}

it('what has arrived is handed out in pieces of at most 124 KiB, and nothing of it is lost', async () => {
  const sizes = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 16 * KIB : 777));
  const lengths: number[] = [];
  const seen: number[] = [];
  for await (const piece of bodyOf(...sizes)) {
    lengths.push(piece.length);
    for (const byte of piece) if (seen.at(-1) !== byte) seen.push(byte);
  }
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(sizes.reduce((sum, length) => sum + length, 0));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(124 * KIB);
  expect(lengths).toHaveLength(3);
  expect(seen).toEqual([...sizes.keys()]);
});

it('a chunk that is larger stays in one piece', async () => {
  const lengths: number[] = [];
  for await (const piece of bodyOf(KIB, 300 * KIB, KIB, KIB)) lengths.push(piece.length);
  expect(lengths).toEqual([KIB, 300 * KIB, 2 * KIB]);
});

it('an event that comes alone is handed out at once; what comes in bulk is gathered', async () => {
  const tasks: (() => void)[] = [];
  const source = { pause: () => {}, resume: () => {}, gather: (task: () => void) => void tasks.push(task) };
  const body = new IncomingBody({ source, clock: systemClock, onIdle: () => {}, onReturn: () => {} });
  const event = body.next();
  body.push(new Uint8Array(KIB));
  expect([(await event).value?.length, tasks.length]).toEqual([KIB, 0]);
  const bulk = body.next();
  for (let i = 0; i < 3; i += 1) body.push(new Uint8Array(16 * KIB));
  expect(tasks).toHaveLength(1);
  tasks[0]?.();
  expect((await bulk).value?.length).toBe(48 * KIB);
});
