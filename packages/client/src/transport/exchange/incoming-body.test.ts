import { systemClock } from '@listwatch/api';
import { expect, it } from 'vitest';
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

interface Gathered {
  readonly body: IncomingBody;
  /** Runs what waits for a turn of the loop, or for a moment. */
  readonly pass: (wait: 'soon' | 'turn') => void;
  readonly waits: () => readonly string[];
}

/** A body whose time passes by hand. */
function gathering(): Gathered {
  const tasks: { readonly wait: string; readonly task: () => void }[] = [];
  const later = (wait: string) => (task: () => void) => void tasks.push({ wait, task });
  const source = { pause: () => {}, resume: () => {}, gather: { turn: later('turn'), soon: later('soon') } };
  const body = new IncomingBody({ source, clock: systemClock, onIdle: () => {}, onReturn: () => {} });
  const pass = (wait: 'soon' | 'turn'): void => {
    for (const one of tasks.filter((other) => other.wait === wait)) {
      tasks.splice(tasks.indexOf(one), 1);
      one.task();
    }
  };
  return { body, pass, waits: () => tasks.map(({ wait }) => wait) };
}

function line(kib: number): Uint8Array {
  return new Uint8Array(kib * KIB).fill(10);
}

function part(kib: number): Uint8Array {
  return new Uint8Array(kib * KIB);
}

it('an event that comes alone is handed out at once', async () => {
  const { body, waits } = gathering();
  const event = body.next();
  body.push(line(1));
  expect([(await event).value?.length, waits()]).toEqual([KIB, []]);
});

it('events that follow each other closely are handed out together, at the end of the turn', async () => {
  const { body, pass, waits } = gathering();
  const burst = body.next();
  for (let i = 0; i < 3; i += 1) body.push(line(16));
  expect(waits()).toEqual(['turn']);
  pass('turn');
  expect((await burst).value?.length).toBe(48 * KIB);
});

it('a part of something is kept for a moment, until its line ends or a piece is full', async () => {
  const { body, pass, waits } = gathering();
  const event = body.next();
  body.push(part(4));
  expect(waits()).toEqual(['turn']);
  pass('turn');
  expect(waits()).toEqual(['soon']);
  body.push(line(1));
  pass('soon');
  expect((await event).value?.length).toBe(5 * KIB);
  const bulk = body.next();
  for (let i = 0; i < 28; i += 1) body.push(part(4));
  expect((await bulk).value?.length).toBe(112 * KIB);
  body.push(part(4));
  const slow = body.next();
  pass('turn');
  pass('soon');
  expect((await slow).value?.length).toBe(4 * KIB);
});

it('what ends is handed out at once, whatever it ends with', async () => {
  const { body } = gathering();
  const rest = body.next();
  body.push(part(4));
  body.finish();
  expect([(await rest).value?.length, (await body.next()).done]).toEqual([4 * KIB, true]);
});

it('a wait that is over wakes nobody else', async () => {
  const { body, pass } = gathering();
  const first = body.next();
  body.push(part(4));
  pass('turn');
  body.push(part(112));
  await first;
  const second = body.next();
  body.push(line(16));
  pass('soon');
  body.push(line(16));
  pass('turn');
  expect((await second).value?.length).toBe(32 * KIB);
});
