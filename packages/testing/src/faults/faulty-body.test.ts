import { FakeClock } from '@listwatch/api/fake-clock';
import { isTransportError } from '@listwatch/client';
import { describe, expect, it } from 'vitest';
import { createFaults } from './create-faults.ts';
import type { Faults } from './faults.ts';

const BOOKMARK = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n';
const ADDED = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';

/** A watch whose chunks are cut as the test wants, all in one memory that is filled again and again. */
async function watchOf(faults: Faults, chunks: readonly string[]): Promise<AsyncIterator<Uint8Array>> {
  const memory = Buffer.alloc(1024);
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield memory.subarray(0, memory.write(chunk));
  }
  const transport = faults.decorate({
    name: 'scripted',
    send: async () => ({ status: 200, headers: {}, body: body() }),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });
  const response = await transport.send({ method: 'GET', path: '/api/v1/pods?watch=1', headers: {} });
  return response.body[Symbol.asyncIterator]();
}

async function textOf(body: AsyncIterator<Uint8Array>): Promise<string> {
  let text = '';
  for (let next = await body.next(); next.done !== true; next = await body.next())
    text += Buffer.from(next.value).toString();
  return text;
}

const newFaults = () => createFaults({ clock: new FakeClock() });

describe('a body behind faults', () => {
  it('keeps the chunks as they are cut while no fault looks into frames', async () => {
    const body = await watchOf(newFaults(), ['{"type"', ':"X"}\n{', '}\n']);
    const sizes: number[] = [];
    for (let next = await body.next(); next.done !== true; next = await body.next()) sizes.push(next.value.length);
    expect(sizes).toEqual([7, 7, 2]);
  });

  it('finds frames that are cut into chunks, or stand in one chunk together', async () => {
    const faults = newFaults();
    const fault = faults.dropBookmarks();
    const text = ADDED + BOOKMARK + ADDED + BOOKMARK;
    for (const size of [1, 7, 40, 1000]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(await textOf(await watchOf(faults, chunks))).toBe(ADDED + ADDED);
    }
    expect(fault.hits).toBe(8);
  });

  it('finds frames that are indented', async () => {
    const faults = newFaults();
    faults.dropBookmarks();
    const pretty = `${JSON.stringify(JSON.parse(BOOKMARK), null, 2)}\n`;
    expect(await textOf(await watchOf(faults, [pretty + ADDED]))).toBe(ADDED);
  });

  it('does not take the end of a frame for a frame when a fault begins in its middle', async () => {
    const faults = newFaults();
    const body = await watchOf(faults, [BOOKMARK.slice(0, 20), BOOKMARK.slice(20) + BOOKMARK + ADDED]);
    const first = Buffer.from((await body.next()).value).toString();
    faults.dropBookmarks();
    expect(first + (await textOf(body))).toBe(BOOKMARK + ADDED);
  });

  it('ends cleanly only after the frame that is on its way, and takes nothing after it', async () => {
    const faults = newFaults();
    const body = await watchOf(faults, [ADDED.slice(0, 20), ADDED.slice(20) + ADDED.slice(0, 5), ADDED.slice(5)]);
    const first = Buffer.from((await body.next()).value).toString();
    faults.cutWatches({ how: 'clean' });
    expect(first + (await textOf(body))).toBe(ADDED);
  });

  it('gives back what a fault had kept of a last frame that never became whole', async () => {
    const faults = newFaults();
    faults.dropBookmarks();
    expect(await textOf(await watchOf(faults, [ADDED, '{"type"']))).toBe(`${ADDED}{"type"`);
  });

  it('tells the source’s own failure as it is', async () => {
    const faults = newFaults();
    const failure = new Error('below');
    const transport = faults.decorate({
      name: 'scripted',
      send: async () => ({
        status: 200,
        headers: {},
        body: {
          [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }),
        },
      }),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    });
    const { body } = await transport.send({ method: 'GET', path: '/api/v1/pods', headers: {} });
    await expect(textOf(body[Symbol.asyncIterator]())).rejects.toBe(failure);
    expect(isTransportError(failure)).toBe(false);
  });
});
