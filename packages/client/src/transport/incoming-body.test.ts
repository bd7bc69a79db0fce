import { afterEach, expect, it, vi } from 'vitest';
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

interface Gathered {
  readonly body: IncomingBody;
  /** A moment passes, for those who have waited longest or for all. */
  readonly pass: (count?: number) => void;
  readonly waits: () => number;
}

/** A body whose moments pass by hand. */
function gathering(): Gathered {
  const tasks: (() => void)[] = [];
  const source = { pause: () => {}, resume: () => {}, soon: (task: () => void) => void tasks.push(task) };
  const body = new IncomingBody({ source, clock: systemClock, onIdle: () => {}, onReturn: () => {} });
  const pass = (count = tasks.length): void => {
    for (const task of tasks.splice(0, count)) task();
  };
  return { body, pass, waits: () => tasks.length };
}

/** It has been quiet for longer than a moment, by the machine's clock. */
function quiet(): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 5);
}

/** No time passes. */
function busy(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
}

afterEach(() => {
  vi.restoreAllMocks();
});

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
  expect([(await event).value?.length, waits()]).toEqual([KIB, 0]);
});

it('events that follow each other closely are handed out together, a moment later', async () => {
  const { body, pass, waits } = gathering();
  busy();
  const first = body.next();
  body.push(line(1));
  expect((await first).value?.length).toBe(KIB);
  const burst = body.next();
  for (let i = 0; i < 3; i += 1) body.push(line(16));
  expect(waits()).toBe(1);
  pass();
  expect((await burst).value?.length).toBe(48 * KIB);
});

it('a part of something is kept for a moment, until its line ends or a piece is full', async () => {
  const { body, pass, waits } = gathering();
  const event = body.next();
  body.push(part(4));
  expect(waits()).toBe(1);
  body.push(line(1));
  expect((await event).value?.length).toBe(5 * KIB);
  const bulk = body.next();
  for (let i = 0; i < 28; i += 1) body.push(part(4));
  expect((await bulk).value?.length).toBe(112 * KIB);
  body.push(part(4));
  const slow = body.next();
  pass();
  expect((await slow).value?.length).toBe(4 * KIB);
});

it('a reader that takes its time finds what has come', async () => {
  const { body, waits } = gathering();
  body.push(line(1));
  await body.next();
  body.push(line(2));
  quiet();
  expect([(await body.next()).value?.length, waits()]).toEqual([2 * KIB, 0]);
});

it('what ends is handed out at once, whatever it ends with', async () => {
  const { body } = gathering();
  const rest = body.next();
  body.push(part(4));
  body.finish();
  expect([(await rest).value?.length, (await body.next()).done]).toEqual([4 * KIB, true]);
});

it('a moment that was waited for by one reading is not the end of the next', async () => {
  const { body, pass, waits } = gathering();
  busy();
  const first = body.next();
  body.push(part(4));
  body.push(part(112));
  await first;
  const second = body.next();
  body.push(line(16));
  expect(waits()).toBe(2);
  pass(1);
  body.push(line(16));
  pass();
  expect((await second).value?.length).toBe(32 * KIB);
});
