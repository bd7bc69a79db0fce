import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_MAPS, FaultyLoopback } from './faulty-loopback.fixture.ts';

let world: FaultyLoopback;
beforeEach(async () => {
  world = await new FaultyLoopback().start();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Has it settled, once everything that can go on has? */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settled = (): void => {
    pending = false;
  };
  void promise.then(settled, settled);
  await world.clock.advance(0);
  return pending;
}

describe('without faults', () => {
  it('a watch, a list and a refusal pass as they are', async () => {
    const watch = await world.watch();
    await world.create('a');
    expect(await watch.told()).toBe('ADDED a');
    expect((await world.ask(CONFIG_MAPS)).json.items).toHaveLength(1);
    expect((await world.ask(`${CONFIG_MAPS}/none`)).status).toBe(404);
    expect(world.faults.watches).toBe(1);
    await watch.leave();
    expect(world.faults.watches).toBe(0);
  });

  it('an abort gives its own reason, before and after the head', async () => {
    const abort = new AbortController();
    const watch = await world.watch('', { signal: abort.signal });
    const waiting = watch.told();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(world.send(CONFIG_MAPS, { signal: abort.signal })).rejects.toBe(reason);
    expect(world.faults.watches).toBe(0);
  });
});

describe('cutWatches', () => {
  it('breaks the watches that run, in the middle of the stream, and leaves those that come alone', async () => {
    const watch = await world.watch();
    await world.create('a');
    expect(await watch.told()).toBe('ADDED a');
    const rest = watch.rest();
    const fault = world.faults.cutWatches();
    expect(await rest).toEqual({ text: '', end: 'CLOSED' });
    expect([fault.hits, world.faults.watches]).toEqual([1, 0]);
    const next = await world.watch();
    await world.create('b');
    expect([await next.told(), await next.told()]).toEqual(['ADDED a', 'ADDED b']);
  });

  it('ends them cleanly when told so', async () => {
    const watch = await world.watch();
    const rest = watch.rest();
    world.faults.cutWatches({ how: 'clean' });
    expect(await rest).toEqual({ text: '', end: 'clean' });
  });

  it('cuts only those that match', async () => {
    const watch = await world.watch();
    expect(world.faults.cutWatches({ match: ({ path }) => path.includes('/pods') }).hits).toBe(0);
    await world.create('a');
    expect(await watch.told()).toBe('ADDED a');
  });

  it('cuts every watch after so many events, until it is restored', async () => {
    const fault = world.faults.cutWatches({ afterEvents: 2 });
    const rv = await world.create('a');
    for (const name of ['b', 'c', 'd']) await world.create(name);
    const from = `&resourceVersion=${rv}`;
    const first = await world.watch(from);
    expect([await first.told(), await first.told(), (await first.rest()).end]).toEqual([
      'ADDED b',
      'ADDED c',
      'CLOSED',
    ]);
    fault.restore();
    const second = await world.watch(from);
    expect([await second.told(), await second.told(), await second.told()]).toEqual(['ADDED b', 'ADDED c', 'ADDED d']);
  });
});

describe('stall', () => {
  it('lets no more bytes through while it lasts, and then all of them', async () => {
    const watch = await world.watch();
    const fault = world.faults.stall();
    await world.create('a');
    const told = watch.told();
    expect(await isPending(told)).toBe(true);
    expect(world.faults.watches).toBe(1);
    fault.restore();
    expect(await told).toBe('ADDED a');
  });

  it('also holds back what comes, head first', async () => {
    using fault = world.faults.stall();
    const { status, body } = await world.send(CONFIG_MAPS);
    expect(status).toBe(200);
    const chunk = body[Symbol.asyncIterator]().next();
    expect(await isPending(chunk)).toBe(true);
    fault.restore();
    expect((await chunk).done).toBe(false);
  });

  it('a silence longer than the request allows ends in IDLE_TIMEOUT, and an abort ends it at once', async () => {
    const watch = await world.watch('', { idleTimeoutMs: 1000 });
    using _ = world.faults.stall();
    const rest = watch.rest();
    await world.clock.advance(999);
    expect(await isPending(rest)).toBe(true);
    await world.clock.advance(1);
    expect((await rest).end).toBe('IDLE_TIMEOUT');
    const abort = new AbortController();
    const other = await world.watch('', { signal: abort.signal });
    const waiting = other.told();
    expect(await isPending(waiting)).toBe(true);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('halfOpen', () => {
  it('what runs falls silent and stays so, what is sent vanishes; after it new requests work', async () => {
    const watch = await world.watch();
    const fault = world.faults.halfOpen();
    const told = watch.told();
    await world.create('a');
    const body = Buffer.from('{"metadata":{"name":"lost"}}');
    const write = world.send(CONFIG_MAPS, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect([await isPending(told), await isPending(write)]).toEqual([true, true]);
    expect(fault.hits).toBe(2);
    fault.restore();
    expect(await isPending(told)).toBe(true);
    await world.clock.advance(30_000);
    await expect(write).rejects.toMatchObject({ code: 'HEADERS_TIMEOUT' });
    expect((await world.ask(`${CONFIG_MAPS}/lost`)).status).toBe(404);
    expect((await world.ask(`${CONFIG_MAPS}/a`)).status).toBe(200);
    await watch.leave();
    expect(await told).toBeUndefined();
  });

  it('an answer that is on its way vanishes too', async () => {
    const asked = world.send(CONFIG_MAPS, { headersTimeoutMs: 500 });
    using _ = world.faults.halfOpen();
    expect(await isPending(asked)).toBe(true);
    await world.clock.advance(500);
    await expect(asked).rejects.toMatchObject({ code: 'HEADERS_TIMEOUT' });
  });

  it('a transport that is closed lets go of what vanished, and leaves no timer', async () => {
    const watch = await world.watch();
    using _ = world.faults.halfOpen();
    const rest = watch.rest();
    const asked = world.send(CONFIG_MAPS);
    const refused = expect(asked).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await world.clock.advance(0);
    await world.transport.close();
    expect((await rest).end).toBe('CLIENT_CLOSED');
    await refused;
    expect(world.faults.watches).toBe(0);
  });
});

describe('expire', () => {
  it('a watch from that version or an older one gets an ERROR event with 410; one from a newer does not', async () => {
    const old = await world.create('a');
    const newer = await world.create('b');
    await world.create('c');
    const fault = world.faults.expire(old);
    const refused = await world.watch(`&resourceVersion=${old}`);
    expect([await refused.told(), await refused.told()]).toEqual(['ERROR 410', undefined]);
    expect(await (await world.watch(`&resourceVersion=${newer}`)).told()).toBe('ADDED c');
    fault.restore();
    expect(await (await world.watch(`&resourceVersion=${old}`)).told()).toBe('ADDED b');
  });

  it('is the status of the answer when told so', async () => {
    const rv = await world.create('a');
    world.faults.expire(rv, { at: 'open' });
    const { status, json } = await world.ask(`${CONFIG_MAPS}?watch=true&resourceVersion=${rv}`);
    expect([status, json.code]).toEqual([410, 410]);
  });

  it('ends watches that run when told so, after the frame that is on its way', async () => {
    const watch = await world.watch();
    const rv = await world.create('a');
    expect(await watch.told()).toBe('ADDED a');
    const told = watch.told();
    expect(world.faults.expire(rv, { running: true }).hits).toBe(1);
    expect([await told, await watch.told()]).toEqual(['ERROR 410', undefined]);
  });

  it('continue tokens and exact lists of that version are refused, with a token to go on at the latest', async () => {
    for (const name of ['a', 'b', 'c']) await world.create(name);
    const { json } = await world.ask(`${CONFIG_MAPS}?limit=2`);
    const { resourceVersion, continue: token } = json.metadata;
    const next = `${CONFIG_MAPS}?limit=2&continue=${token}`;
    expect((await world.ask(next)).status).toBe(200);
    world.faults.expire(resourceVersion);
    const expired = await world.ask(next);
    expect(expired.status).toBe(410);
    const rest = await world.ask(`${CONFIG_MAPS}?limit=2&continue=${expired.json.metadata.continue}`);
    expect(rest.json.items).toHaveLength(1);
    const exact = `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=${resourceVersion}`;
    expect((await world.ask(exact)).status).toBe(410);
    expect((await world.ask(`${CONFIG_MAPS}?resourceVersion=${resourceVersion}`)).status).toBe(200);
  });

  it('refuses what is no version', () => {
    expect(() => world.faults.expire('0')).toThrow(RangeError);
  });
});

describe('tooManyRequests', () => {
  it('answers the next few with 429 and Retry-After, and then nothing more', async () => {
    const fault = world.faults.tooManyRequests(2, 7);
    for (let round = 0; round < 2; round++) {
      const { status, headers, json } = await world.ask(CONFIG_MAPS);
      expect([status, headers['retry-after'], json.code]).toEqual([429, '7', 429]);
    }
    expect((await world.ask(CONFIG_MAPS)).status).toBe(200);
    expect(fault.hits).toBe(2);
  });

  it('names no time when none is given, and can be taken away before it has struck', async () => {
    const fault = world.faults.tooManyRequests(2);
    expect((await world.ask(CONFIG_MAPS)).headers['retry-after']).toBeUndefined();
    fault.restore();
    expect((await world.ask(CONFIG_MAPS)).status).toBe(200);
    expect(() => world.faults.tooManyRequests(0)).toThrow(RangeError);
  });
});

describe('bookmarks', () => {
  const INITIAL = '&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

  it('are lost with dropBookmarks, but for the end of the initial events', async () => {
    await world.create('a');
    const fault = world.faults.dropBookmarks();
    const watch = await world.watch(INITIAL);
    expect([await watch.told(), await watch.told()]).toEqual(['ADDED a', 'BOOKMARK']);
    const told = watch.told();
    // Another kind changes: the next bookmark has something to say.
    await world.engine.commit({ type: 'put', key: '/registry/other', value: Buffer.from('{}'), expected: 0n });
    await world.clock.advance(65_000);
    expect(fault.hits).toBe(1);
    expect(await isPending(told)).toBe(true);
    await world.create('b');
    expect(await told).toBe('ADDED b');
  });

  it('come again when that is restored', async () => {
    const fault = world.faults.dropBookmarks();
    const watch = await world.watch('&allowWatchBookmarks=true');
    const told = watch.told();
    fault.restore();
    await world.engine.commit({ type: 'put', key: '/registry/other', value: Buffer.from('{}'), expected: 0n });
    await world.clock.advance(65_000);
    expect(await told).toBe('BOOKMARK');
  });

  it('the end of the initial events is lost with dropInitialEventsEnd', async () => {
    await world.create('a');
    const fault = world.faults.dropInitialEventsEnd();
    const watch = await world.watch(INITIAL);
    expect(await watch.told()).toBe('ADDED a');
    const told = watch.told();
    expect(await isPending(told)).toBe(true);
    expect(fault.hits).toBe(1);
    await world.create('b');
    expect(await told).toBe('ADDED b');
    fault.restore();
    const again = await world.watch(INITIAL);
    expect([await again.told(), await again.told(), await again.told()]).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
  });
});

describe('tearFrame', () => {
  it.each([
    ['broken', 'CLOSED'],
    ['clean', 'clean'],
  ] as const)('ends the next frame of a watch in its middle: %s', async (how, end) => {
    const watch = await world.watch();
    const fault = world.faults.tearFrame({ how });
    const rest = watch.rest();
    await world.create('a');
    const torn = await rest;
    expect(torn.end).toBe(end);
    expect(torn.text).toMatch(/^\{"type":"ADDED"/u);
    expect(() => JSON.parse(torn.text)).toThrow(SyntaxError);
    expect([fault.hits, world.faults.watches]).toEqual([1, 0]);
  });

  it('strikes once: the next watch gets the whole frame', async () => {
    const rv = await world.create('a');
    await world.create('b');
    world.faults.tearFrame();
    const from = `&resourceVersion=${rv}`;
    expect((await (await world.watch(from)).rest()).end).toBe('CLOSED');
    expect(await (await world.watch(from)).told()).toBe('ADDED b');
  });
});

describe('delay', () => {
  it('holds every request back by the clock', async () => {
    const fault = world.faults.delay(200);
    const asked = world.ask(CONFIG_MAPS);
    await world.clock.advance(199);
    expect(await isPending(asked)).toBe(true);
    await world.clock.advance(1);
    expect((await asked).status).toBe(200);
    fault.restore();
    expect((await world.ask(CONFIG_MAPS)).status).toBe(200);
    expect(fault.hits).toBe(1);
  });

  it('longer than the request waits is HEADERS_TIMEOUT', async () => {
    using _ = world.faults.delay(60_000);
    const refused = expect(world.send(CONFIG_MAPS, { headersTimeoutMs: 100 })).rejects.toMatchObject({
      code: 'HEADERS_TIMEOUT',
    });
    await world.clock.advance(100);
    await refused;
  });
});

it('several faults work together, and restoreAll takes all of them away', async () => {
  world.faults.delay(10);
  world.faults.tooManyRequests(5);
  world.faults.stall();
  const asked = world.ask(CONFIG_MAPS);
  await world.clock.advance(10);
  expect(await isPending(asked)).toBe(true);
  world.faults.restoreAll();
  expect((await asked).status).toBe(429);
  expect((await world.ask(CONFIG_MAPS)).status).toBe(200);
});

it('leaves no timer and no exchange behind', async () => {
  const before = world.clock.pending;
  const watch = await world.watch('', { idleTimeoutMs: 1000 });
  using _ = world.faults.stall();
  const told = watch.told();
  await world.clock.advance(0);
  await watch.leave();
  await told;
  // The server looks after its watchers once a second, and stops when there are none.
  await world.clock.advance(1000);
  expect([world.clock.pending, world.faults.watches]).toEqual([before, 0]);
});
