import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resource } from '@listwatch/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Thing, things } from '../../test/model-object.ts';
import { ModelServer } from '../../test/model-server.ts';
import { type SharedInformers, sharedInformers } from './shared-informers.ts';

let server: ModelServer;
let shared: SharedInformers;

beforeEach(() => {
  server = new ModelServer();
  shared = sharedInformers(server);
});

afterEach(async () => {
  await shared.close();
  expect([shared.size, server.watches.size, server.clock.pending]).toEqual([0, 0, 0]);
});

function unchanged(object: Thing): Thing {
  return object;
}

/** Runs the garbage collector. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const pass = (ms = 0): Promise<void> => server.clock.advance(ms);

describe('sharing', () => {
  it('is one watch and one cache for those who ask for the same', async () => {
    server.put('a/x');
    const [first, second] = [shared.informer(things), shared.informer(things)];
    await pass();
    await Promise.all([first.synced, second.synced]);
    expect(first.store).toBe(second.store);
    expect([shared.size, server.seen()]).toEqual([1, ['stream:0']]);
  });

  it('is not with another resource, version, namespace, selector or projection', async () => {
    const others = resource<Thing>({
      group: 'example.org',
      version: 'v2',
      plural: 'things',
      kind: 'Thing',
      namespaced: true,
    });
    shared.informer(things);
    shared.informer(others);
    shared.informer(things, { namespace: 'a' });
    shared.informer(things, { namespaces: ['b', 'a'] });
    shared.informer(things, { namespaces: ['a', 'b'] });
    shared.informer(things, { labelSelector: 'app=web' });
    shared.informer(things, { fieldSelector: 'metadata.name=x' });
    shared.informer(things, { projection: 'metadata' });
    expect(shared.size).toBe(7);
    await pass();
  });

  it('refuses a transform other than the first, and adds indexes', async () => {
    server.put('a/x', 3);
    const first = shared.informer(things, { transform: unchanged });
    expect(() => shared.informer(things)).toThrow('transform');
    await pass();
    shared.informer(things, { transform: unchanged, indexes: { size: ({ spec }) => [String(spec?.size)] } });
    expect(first.store.keysByIndex('size', '3')).toEqual(['a/x']);
  });
});

describe('a share', () => {
  it('that is given back ends its own handlers and streams only; the last ends the watch', async () => {
    server.put('a/x');
    const [first, second] = [shared.informer(things), shared.informer(things)];
    const said: string[] = [];
    first.on({ add: ({ key }) => said.push(`first ${key}`) });
    second.on({ add: ({ key }) => said.push(`second ${key}`) });
    const reading = (async () => {
      for await (const { key } of first.changes()) said.push(`stream ${key}`);
      said.push('stream ended');
    })();
    await pass();
    await first.close();
    await reading;
    expect(first.status.phase).toBe('stopped');
    said.length = 0;
    server.put('a/y');
    await pass();
    expect([said, second.status.phase]).toEqual([['second a/y'], 'live']);
    await second.close();
    await second.close();
    expect([shared.size, server.watches.size]).toEqual([0, 0]);
  });

  it('asked for while the last is being given back gets a watch that works; after that, a new one', async () => {
    const first = shared.informer(things);
    await pass();
    const closing = first.close();
    const second = shared.informer(things);
    await closing;
    await pass();
    expect([second.status.phase, server.watches.size]).toEqual(['live', 1]);
    await second.close();
    const third = shared.informer(things);
    await pass();
    expect([third.status.phase, server.seen().length]).toEqual(['live', 2]);
  });

  it('is given back by its own signal, without harm to the others', async () => {
    const stop = new AbortController();
    const kept = shared.informer(things);
    const given = shared.informer(things, { signal: stop.signal });
    await pass();
    stop.abort();
    await given.close();
    expect([kept.status.phase, given.status.phase, shared.size]).toEqual(['live', 'stopped', 1]);
    const before = shared.informer(things, { signal: stop.signal });
    await before.close();
    expect(kept.status.phase).toBe('live');
  });

  it('says stopped to those who follow its status when it is given back, and lets go of their signal', async () => {
    const [first] = [shared.informer(things), shared.informer(things)];
    const { signal } = new AbortController();
    const phases: string[] = [];
    const following = (async () => {
      for await (const { phase } of first?.statuses({ signal }) ?? []) phases.push(phase);
    })();
    await pass();
    await first?.close();
    await following;
    expect(phases).toEqual(['syncing', 'live', 'stopped']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('tells its own handlers on a resync, not those of others', async () => {
    server.put('a/x');
    const [first, second] = [shared.informer(things), shared.informer(things)];
    const said: string[] = [];
    first.on({ update: () => said.push('first') });
    second.on({ update: () => said.push('second') });
    await pass();
    first.resync();
    await pass();
    expect(said).toEqual(['first']);
  });
});

describe('what is left behind', () => {
  it('nothing keeps handlers that were removed, nor streams that were read to their end or left', async () => {
    server.put('a/x');
    const share = shared.informer(things);
    await pass();
    const refs: WeakRef<object>[] = [];
    const useOnce = async (): Promise<void> => {
      const handlers = { add: () => {} };
      const off = share.on(handlers);
      await pass();
      await off();
      const left = share.changes();
      for await (const change of left) {
        expect(change.key).toBe('a/x');
        break;
      }
      const abort = new AbortController();
      const ended = share.changes({ signal: abort.signal });
      const reader = ended[Symbol.asyncIterator]();
      await reader.next();
      abort.abort();
      await expect(reader.next()).rejects.toThrow();
      refs.push(new WeakRef(handlers), new WeakRef(left), new WeakRef(ended));
    };
    for (let n = 0; n < 5; n += 1) await useOnce();
    // A reference is kept alive for the rest of the turn in which it was made or read.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collectGarbage();
    expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  });

  it('a registration that is kept after its removal keeps no changes', async () => {
    for (let n = 0; n < 5; n += 1) server.put(`a/${n}`);
    const share = shared.informer(things);
    await pass();
    const off = share.on({ add: () => {} });
    expect(off.depth).toBe(5);
    await off();
    expect(off.depth).toBe(0);
  });
});

describe('a stream that is first read after the end', () => {
  it.each([
    ['of its informer', async () => shared.close()],
    ['of its share', async (share: { close(): Promise<void> }) => share.close()],
  ])('%s ends at once', async (_, close) => {
    server.put('a/x');
    const [share, other] = [shared.informer(things), shared.informer(things)];
    await pass();
    const stream = share.changes();
    const taken = share.changes()[Symbol.asyncIterator]();
    await close(share);
    for await (const change of stream) expect.unreachable(change.key);
    await expect(taken.next()).resolves.toEqual({ done: true, value: undefined });
    await other.close();
  });
});
