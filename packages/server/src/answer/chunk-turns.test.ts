/** A large answer asks for a turn of the event loop for each chunk, not once for all of them. */

import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Reply } from '../contract/reply.ts';
import { writeResponse } from './write-response.ts';

const CHUNKS = 12;

/** What is done for an answer of so many chunks, in order. */
async function orderOf(isLive: boolean): Promise<readonly string[]> {
  const order: string[] = [];
  const closed: (() => void)[] = [];
  const body = new Writable({
    write(_chunk, _encoding, done) {
      order.push('sent');
      done();
    },
  });
  body.on('finish', () => closed.forEach((listener) => listener()));
  const reply: Reply = {
    status: 0,
    closed: false,
    send: () => order.push('whole'),
    open: () => body,
    expectRead: () => undefined,
    watch: () => Promise.reject(new Error('it is a list')),
    endWatch: () => undefined,
    cut: () => undefined,
    onClose: (listener) => void closed.push(listener),
  };
  function* chunks(): Generator<Buffer, undefined> {
    for (let index = 0; index < CHUNKS; index += 1) {
      order.push('made');
      yield Buffer.alloc(64 * 1024);
    }
    return undefined;
  }
  await writeResponse(
    reply,
    { type: 'stream', status: 200, headers: {}, chunks: chunks(), isLive },
    { headers: {}, gzip: false, isHead: false, onProduced: () => undefined, turn: async () => void order.push('turn') },
  );
  return order;
}

const each = (...steps: readonly string[]): readonly string[] => Array.from({ length: CHUNKS - 1 }, () => steps).flat();

it('each chunk of a streamed list is made in a turn of its own', async () => {
  // The first is of the turn in which the request has read; the last turn finds the end.
  expect(await orderOf(false)).toEqual(['made', 'sent', ...each('turn', 'made', 'sent'), 'turn']);
});

it('each chunk that another server sends is passed on in a turn of its own', async () => {
  expect(await orderOf(true)).toEqual(['made', 'turn', 'sent', ...each('made', 'turn', 'sent')]);
});
