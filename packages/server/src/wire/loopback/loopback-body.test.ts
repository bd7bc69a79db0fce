import { describe, expect, it } from 'vitest';
import { LoopbackBody } from './loopback-body.ts';

const text = (result: IteratorResult<Uint8Array, undefined>) =>
  result.done === true ? undefined : Buffer.from(result.value).toString();

function body(): { readonly body: LoopbackBody; readonly over: () => number } {
  let calls = 0;
  const made = new LoopbackBody(() => {
    calls += 1;
  });
  return { body: made, over: () => calls };
}

describe('a body that stays in the process', () => {
  it('gives its chunks in order, and then ends', async () => {
    const { body: read, over } = body();
    read.writable.write(Buffer.from('a'));
    read.writable.end(Buffer.from('b'));
    expect([text(await read.next()), text(await read.next())]).toEqual(['a', 'b']);
    expect(over()).toBe(0);
    expect(text(await read.next())).toBeUndefined();
    expect(text(await read.next())).toBeUndefined();
    expect(over()).toBe(1);
  });

  it('a chunk is the reader’s until it asks for the next one', async () => {
    const { body: read } = body();
    const given: string[] = [];
    const memory = Buffer.from('first');
    read.writable.write(memory, () => {
      given.push('first');
      memory.write('other');
      read.writable.write(memory);
    });
    const first = await read.next();
    expect(given).toEqual([]);
    expect(text(first)).toBe('first');
    expect(text(await read.next())).toBe('other');
    expect(given).toEqual(['first']);
  });

  it('tells the writer to wait when 64 KiB lie unread, and when it may go on', async () => {
    const { body: read } = body();
    const { writable } = read;
    const drained = new Promise<void>((resolve) => {
      writable.once('drain', resolve);
    });
    expect(writable.write(Buffer.alloc(65_535))).toBe(true);
    expect(writable.write(Buffer.alloc(1))).toBe(false);
    await read.next();
    await read.next();
    expect(writable.writableLength).toBe(1);
    void read.next();
    await drained;
  });

  it('return ends it at once, also for a reader that waits', async () => {
    const { body: read, over } = body();
    const waiting = read.next();
    await read.return();
    expect(text(await waiting)).toBeUndefined();
    expect(over()).toBe(1);
    expect(read.writable.destroyed).toBe(true);
  });

  it('a failure reaches the reader that waits, and drops what it had not read', async () => {
    const { body: read, over } = body();
    read.writable.write(Buffer.from('unread'));
    const reason = new Error('cut');
    read.fail(reason);
    await expect(read.next()).rejects.toBe(reason);
    expect(text(await read.next())).toBeUndefined();
    expect(over()).toBe(1);
    const { body: other } = body();
    const waiting = other.next();
    other.fail(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('a failure after the end changes nothing', async () => {
    const { body: read, over } = body();
    read.writable.end();
    expect(text(await read.next())).toBeUndefined();
    read.fail(new Error('late'));
    expect(text(await read.next())).toBeUndefined();
    expect(over()).toBe(1);
  });

  it('has one reader, who reads one chunk at a time', async () => {
    const { body: read } = body();
    read[Symbol.asyncIterator]();
    expect(() => read[Symbol.asyncIterator]()).toThrow(TypeError);
    void read.next();
    await expect(read.next()).rejects.toThrow(TypeError);
  });
});
