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

/** A body whose turns of the loop are taken by hand. */
function gathering(): { readonly body: IncomingBody; readonly turn: () => void; readonly waits: () => boolean } {
  const tasks: (() => void)[] = [];
  const source = { pause: () => {}, resume: () => {}, gather: (task: () => void) => void tasks.push(task) };
  const body = new IncomingBody({ source, clock: systemClock, onIdle: () => {}, onReturn: () => {} });
  return { body, turn: () => tasks.shift()?.(), waits: () => tasks.length > 0 };
}

it('an event that comes alone is handed out at once', async () => {
  const { body, waits } = gathering();
  const event = body.next();
  body.push(new Uint8Array(KIB));
  expect([(await event).value?.length, waits()]).toEqual([KIB, false]);
});

it('a bulk is gathered until a turn of the loop brings nothing, or a piece is full', async () => {
  const { body, turn, waits } = gathering();
  const first = body.next();
  body.push(new Uint8Array(32 * KIB));
  for (const size of [16, 32, 0]) {
    body.push(new Uint8Array(size * KIB));
    turn();
  }
  expect([(await first).value?.length, waits()]).toEqual([80 * KIB, false]);
  body.push(new Uint8Array(9));
  const second = body.next();
  expect(waits()).toBe(true);
  body.push(new Uint8Array(110 * KIB));
  turn();
  expect([(await second).value?.length, waits()]).toEqual([110 * KIB + 9, false]);
});

it('what is left of a bulk is handed out when it ends', async () => {
  const { body, turn } = gathering();
  const first = body.next();
  body.push(new Uint8Array(120 * KIB));
  turn();
  await first;
  body.push(new Uint8Array(9));
  const rest = body.next();
  body.finish();
  turn();
  expect([(await rest).value?.length, (await body.next()).done]).toEqual([9, true]);
});
