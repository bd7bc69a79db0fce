import { describe, expect, it } from 'vitest';
import { IncomingBytes } from './byte-stream.ts';
import { UnreadBytes } from './unread-bytes.ts';

const HIGH_WATER_BYTES = 256 * 1024;
const MAX_BYTES = 1024 * 1024;
/** Of a byte each: with what they cost beside it, four times what is kept. */
const MANY_MESSAGES = 16_384;

/** A stream behind a connection that only notes whether it is held back. */
function held(canPause = true): {
  readonly stream: IncomingBytes;
  readonly other: IncomingBytes;
  readonly unread: UnreadBytes;
  readonly isPaused: () => boolean;
} {
  let isPaused = false;
  const socket = { canPause, pause: () => (isPaused = true), resume: () => (isPaused = false) };
  const stream = new IncomingBytes('stdout', () => unread.look());
  const other = new IncomingBytes('stderr', () => unread.look());
  const unread = new UnreadBytes(socket, { stdout: stream, stderr: other }, MAX_BYTES);
  return { stream, other, unread, isPaused: () => isPaused };
}

describe('bytes that nobody reads', () => {
  it('hold the sender back by the messages that they came in, not by their size alone', async () => {
    const { stream, unread, isPaused } = held();
    let messages = 0;
    for (; !isPaused() && messages < HIGH_WATER_BYTES; messages += 1) {
      stream.push(Uint8Array.of(1));
      unread.look();
    }
    expect(isPaused()).toBe(true);
    expect(messages).toBeLessThanOrEqual(1024);
    const reader = stream[Symbol.asyncIterator]();
    for (let read = 0; read < messages; read += 1) expect((await reader.next()).value).toEqual(Uint8Array.of(1));
    expect([isPaused(), stream.unread]).toEqual([false, 0]);
  });

  it('that are empty cost nothing', () => {
    const { stream, isPaused } = held();
    for (let messages = 0; messages < 10_000; messages += 1) stream.push(new Uint8Array());
    expect([stream.unread, isPaused()]).toEqual([0, false]);
  });

  it('keep no larger piece of memory alive that they came in', async () => {
    const { stream } = held();
    const received = new ArrayBuffer(64 * 1024);
    stream.push(new Uint8Array(received, 100, 3).fill(7));
    const { value } = await stream[Symbol.asyncIterator]().next();
    expect(value).toEqual(Uint8Array.of(7, 7, 7));
    expect(value?.buffer.byteLength).toBe(3);
    const whole = new Uint8Array(received, 1);
    const next = held().stream;
    next.push(whole);
    // A message of its own is not copied.
    expect((await next[Symbol.asyncIterator]().next()).value?.buffer).toBe(received);
  });

  it('are too many when tiny ones pile up behind a reader of the other stream', () => {
    const { stream, other, unread } = held();
    void other[Symbol.asyncIterator]().next();
    expect(pileUp(stream, unread)).toMatchObject({
      code: 'UNREAD',
      message: expect.stringContaining('of stdout were not read'),
    });
    expect(stream.unread).toBeLessThan(MAX_BYTES + 1024);
  });

  it('are too many where a sender cannot be held back, as in browsers', () => {
    const { stream, unread } = held(false);
    expect(pileUp(stream, unread)).toMatchObject({ code: 'UNREAD' });
  });

  it('may be what was on its way when the sender was held back', async () => {
    const { stream, unread, isPaused } = held();
    expect([pileUp(stream, unread), isPaused()]).toEqual([undefined, true]);
    let bytes = 0;
    const reader = stream[Symbol.asyncIterator]();
    while (stream.unread > 0) bytes += (await reader.next()).value?.length ?? 0;
    expect([bytes, isPaused()]).toEqual([MANY_MESSAGES, false]);
  });
});

/** Tiny messages until that is an error, or all of them. */
function pileUp(stream: IncomingBytes, unread: UnreadBytes): unknown {
  let error: unknown;
  for (let messages = 0; error === undefined && messages < MANY_MESSAGES; messages += 1) {
    stream.push(Uint8Array.of(1));
    error = unread.look();
  }
  return error;
}
