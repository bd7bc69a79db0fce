import { getEventListeners } from 'node:events';
import { expired, forbidden, genericFailure, internalError, serviceUnavailable } from '@listwatch/api';
import { TransportError } from '@listwatch/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Thing, things } from '../../test/model-object.ts';
import { ModelServer } from '../../test/model-server.ts';
import type { StoreChange } from '../reflector/store-change.ts';
import { type Informer, informer } from './informer.ts';
import type { InformerOptions } from './informer-options.ts';
import type { InformerStatus } from './informer-status.ts';
import type { InformerWarning } from './informer-warning.ts';

let server: ModelServer;
let warnings: InformerWarning[];
let open: Informer<Thing>[];

beforeEach(() => {
  server = new ModelServer();
  warnings = [];
  open = [];
});

afterEach(async () => {
  const closing = Promise.all(open.map((one) => one.close()));
  await pass(60_000);
  await closing;
  expect(server.watches.size, 'watches that were left open').toBe(0);
  expect(server.clock.pending, 'timers that were left behind').toBe(0);
});

function start(options: InformerOptions<Thing> = {}): Informer<Thing> {
  const made = informer(server, things, {
    random: () => 0,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  open.push(made);
  return made;
}

async function synced(options?: InformerOptions<Thing>): Promise<Informer<Thing>> {
  const made = start(options);
  await pass();
  await made.synced;
  return made;
}

const pass = (ms = 0): Promise<void> => server.clock.advance(ms);

/** Holds a handler up until it is opened; then the next call waits again. */
function newGate(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  const waiting: (() => void)[] = [];
  return {
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    open: () => waiting.shift()?.(),
  };
}

/** Handlers that write down what they are told. */
function recorder(): {
  readonly said: string[];
  readonly handlers: Record<'add' | 'delete' | 'update', (change: StoreChange<Thing>) => void>;
} {
  const said: string[] = [];
  const note = (change: StoreChange<Thing>): void => {
    said.push(short(change));
  };
  return { said, handlers: { add: note, update: note, delete: note } };
}

function short(change: StoreChange<Thing>): string {
  const missed = change.type === 'delete' && !change.finalStateKnown ? '?' : '';
  return `${change.type}${change.initial ? '*' : ''}${missed} ${change.key}@${change.object.metadata.resourceVersion}`;
}

/** Reads changes in the background. */
function follow(
  source: Informer<Thing>,
  options?: Parameters<Informer<Thing>['changes']>[0],
): { said: string[]; ended: Promise<unknown> } {
  const said: string[] = [];
  const read = async (): Promise<void> => {
    for await (const change of source.changes(options)) said.push(short(change));
  };
  const ended = read().then(
    () => 'end',
    (reason: unknown) => reason,
  );
  return { said, ended };
}

describe('a cache', () => {
  it('is synced when the first state is whole, and follows every change', async () => {
    server.put('a/x');
    const web = start({ indexes: { size: ({ spec }) => [String(spec?.size)] } });
    expect([web.hasSynced, web.status.phase]).toEqual([false, 'syncing']);
    await pass();
    await web.synced;
    expect([web.hasSynced, web.status.phase, web.store.resourceVersion]).toEqual([true, 'live', '11']);
    server.put('b/y', 3);
    server.delete('a/x');
    await pass();
    expect([...web.store.keys()]).toEqual(['b/y']);
    expect(web.store.byIndex('size', '3')).toHaveLength(1);
  });

  it('lets a writer read its own write', async () => {
    const web = await synced();
    const written = server.put('a/x', 5);
    const waiting = web.store.waitFor(written.metadata.resourceVersion ?? '');
    await pass();
    await waiting;
    expect(web.store.get('a/x')?.spec?.size).toBe(5);
  });

  it('is up to date by a bookmark too, when nothing of its own happens', async () => {
    const web = await synced();
    server.tick(50);
    const waiting = web.store.waitFor('60');
    server.bookmark();
    await pass();
    await waiting;
  });

  it('gives objects that cannot be changed, unless asked not to freeze them', async () => {
    server.put('a/x');
    const frozen = (await synced()).store.get('a/x');
    expect(Object.isFrozen(frozen?.spec)).toBe(true);
    const open2 = (await synced({ freeze: false })).store.get('a/x');
    expect(Object.isFrozen(open2?.spec)).toBe(false);
  });

  describe('in production', () => {
    beforeEach(() => vi.stubEnv('NODE_ENV', 'production'));
    afterEach(() => vi.unstubAllEnvs());

    it('freezes an object when it is first read, so that a write to the cache throws where it is', async () => {
      server.put('a/x', 4);
      const { store } = await synced();
      for (const object of [store.get('a/x'), store.list()[0], [...store.values()][0]]) {
        expect(() => Object.assign(object?.spec ?? {}, { size: 5 })).toThrow(/read only/u);
      }
      expect(store.get('a/x')?.spec?.size).toBe(4);
    });

    it('freezes nothing that only an index has looked at', async () => {
      const seen: unknown[] = [];
      server.put('a/x', 4);
      await synced({ indexes: { size: (object) => (seen.push(object), [String(object.spec?.size)]) } });
      expect(seen.map((object) => Object.isFrozen(object))).toEqual([false]);
    });

    it('freezes every sixteenth object that handlers get: one that writes to all of them is found', async () => {
      for (let i = 0; i < 32; i += 1) server.put(`a/x${i}`, 4);
      const web = await synced();
      const frozen: boolean[] = [];
      const handlers = web.on({ add: ({ object }) => void frozen.push(Object.isFrozen(object)) });
      await handlers.synced;
      expect(frozen.filter(Boolean)).toHaveLength(2);
      await handlers();
    });

    it('leaves objects of a compact cache as they are: nobody shares them', async () => {
      server.put('a/x', 4);
      const { store } = await synced({ compact: true });
      Object.assign(store.get('a/x')?.spec ?? {}, { size: 5 });
      expect(store.get('a/x')?.spec?.size).toBe(4);
    });
  });

  it('can be compact: the same answers, from bytes', async () => {
    server.put('a/x', 4);
    const web = await synced({ compact: true, indexes: { size: ({ spec }) => [String(spec?.size)] } });
    server.put('a/x', 5);
    await pass();
    expect(web.store.get('a/x')).toEqual(server.state.get('a/x'));
    expect([web.store.byIndex('size', '4').length, web.store.byIndex('size', '5').length]).toEqual([0, 1]);
    expect(web.store.get('a/x')).not.toBe(web.store.get('a/x'));
  });

  it('of several namespaces is one cache with a watch for each, synced when all are', async () => {
    server.put('a/x');
    server.put('b/x');
    server.put('c/x');
    server.failNext('stream', serviceUnavailable('down'));
    server.failNext('list', serviceUnavailable('down'));
    const web = start({ namespaces: ['a', 'b', 'a'] });
    await pass();
    expect([web.hasSynced, web.status.phase, web.store.resourceVersion]).toEqual([false, 'degraded', undefined]);
    await pass(800);
    await web.synced;
    expect([...web.store.keys()].toSorted()).toEqual(['a/x', 'b/x']);
    expect(server.watches.size).toBe(2);
    server.broadcast({ type: 'ERROR', object: expired('old').status });
    server.delete('a/x');
    await pass(1_600);
    expect([[...web.store.keys()], web.status.phase]).toEqual([['b/x'], 'live']);
  });

  it('an index function that throws is reported once, and costs only its index', async () => {
    server.put('a/x', 1);
    server.put('a/y', 2);
    const web = await synced({
      indexes: {
        bad: () => {
          throw new Error('no spec');
        },
      },
    });
    server.delete('a/x');
    await pass();
    expect([[...web.store.keys()], web.store.indexValues('bad'), web.status.phase]).toEqual([['a/y'], [], 'live']);
    expect(warnings).toMatchObject([{ type: 'INDEX_FAILED', key: 'a/x' }]);
  });

  it('refuses options that contradict one another', () => {
    expect(() => start({ namespace: 'a', namespaces: ['b'] })).toThrow(TypeError);
    expect(() => start({ namespaces: [] })).toThrow('[]');
    expect(() => start({ syncTimeoutMs: -1 })).toThrow('-1');
  });
});

describe('synced', () => {
  for (const [what, error] of [
    ['403', forbidden(things, '', 'no')],
    ['404', genericFailure(404, { method: 'GET', resource: things })],
  ] as const) {
    it(`rejects with a ${what} at once, and the informer goes on until it is cured`, async () => {
      server.fault = () => error;
      const web = start();
      const first = web.synced;
      await pass();
      await expect(first).rejects.toMatchObject({ code: 'INITIAL_LIST_FAILED', cause: error });
      expect(web.status).toMatchObject({ phase: 'degraded', error: { cause: error } });
      server.fault = undefined;
      const second = web.synced;
      await pass(2_000);
      await second;
      expect(web.status.phase).toBe('live');
    });
  }

  it('does not reject for a refused stream when the list works', async () => {
    server.failNext('stream', forbidden(things, '', 'no'));
    const web = start();
    const first = web.synced;
    await pass();
    await first;
  });

  it('rejects after its time with the last failure; without an answer it says so', async () => {
    server.fault = () => new TransportError('CONNECT', 'refused');
    const failing = start({ syncTimeoutMs: 5_000 });
    const first = failing.synced;
    await pass(5_000);
    await expect(first).rejects.toMatchObject({ code: 'SYNC_TIMEOUT', cause: { code: 'INITIAL_LIST_FAILED' } });
    await expect(first).rejects.toThrow('refused');
  });

  it('rejects when streaming alone is wanted and the end marker never comes', async () => {
    server.dropMarkers = true;
    const web = start({ initialStrategy: 'streamingList' });
    const first = web.synced;
    await pass(10_000);
    await expect(first).rejects.toMatchObject({ code: 'NO_END_MARKER' });
  });

  it('that nobody reads harms nobody', async () => {
    server.fault = () => forbidden(things, '', 'no');
    start();
    await pass(10_000);
  });

  it('rejects when the informer is closed before', async () => {
    server.fault = () => new TransportError('CONNECT', 'refused');
    const web = start();
    const first = web.synced;
    await web.close();
    await expect(first).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('status', () => {
  it('says degraded with the reason from the first failure until the watch works again', async () => {
    const web = await synced();
    const before = server.clock.now();
    server.fault = () => internalError('broken');
    server.cutWatches();
    await pass(700);
    expect(web.status).toMatchObject({ phase: 'degraded', since: before });
    server.fault = undefined;
    await pass(500);
    expect(web.status.phase).toBe('degraded');
    // The watch is open and quiet for a second: it is well, although nothing has happened.
    await pass(1_000);
    expect(web.status.phase).toBe('live');
    expect(web.status.reason).toBeUndefined();
  });

  it('a watch that ends in order is no trouble', async () => {
    const web = await synced();
    await pass(2_000);
    server.endWatches();
    await pass();
    expect(web.status.phase).toBe('live');
  });

  it('can be followed; who is slow sees the latest', async () => {
    const web = start();
    const phases: string[] = [];
    const reading = (async () => {
      for await (const { phase } of web.statuses()) phases.push(phase);
    })();
    await pass();
    server.cutWatches();
    await pass(5_000);
    await web.close();
    await reading;
    expect(phases).toEqual(['syncing', 'live', 'degraded', 'live', 'stopped']);
  });

  it('following ends by its signal and leaves no listener', async () => {
    const web = await synced();
    const stop = new AbortController();
    const seen: InformerStatus[] = [];
    const reading = (async () => {
      for await (const status of web.statuses(stop)) seen.push(status);
    })();
    await pass();
    stop.abort('enough');
    await expect(reading).rejects.toBe('enough');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});

describe('changes()', () => {
  it('begins with a snapshot and goes on without gap or repeat', async () => {
    server.put('a/x');
    server.put('a/y');
    const web = await synced();
    const { said } = follow(web);
    server.put('a/x', 1);
    await pass();
    server.delete('a/y');
    await pass();
    expect(said).toEqual(['add* a/x@11', 'add* a/y@12', 'update a/x@13', 'delete a/y@14']);
  });

  it('before the sync: the first list comes as initial adds, later ones as plain', async () => {
    server.put('a/x');
    const { said } = follow(start());
    await pass();
    server.put('a/y');
    await pass();
    expect(said).toEqual(['add* a/x@11', 'add a/y@12']);
  });

  it('after a relist tells only what differs, and the deletes that were missed with the last known object', async () => {
    for (const key of ['a/1', 'a/2', 'a/3']) server.put(key);
    const web = await synced();
    const { said } = follow(web);
    await pass();
    said.length = 0;
    server.silenceWatches();
    server.delete('a/1');
    server.put('a/2', 9);
    server.put('a/4');
    server.compact();
    await pass(200_000);
    expect(said).toEqual(['delete? a/1@11', 'update a/2@15', 'add a/4@16']);
  });

  it('joins what a slow reader has not read, and shows how much waits', async () => {
    const web = await synced();
    const stream = web.changes();
    const reader = stream[Symbol.asyncIterator]();
    const first = reader.next();
    for (let size = 0; size < 5; size += 1) server.put('a/x', size);
    server.put('a/y');
    await pass();
    expect(await first).toMatchObject({ value: { type: 'add', object: { spec: { size: 0 } } } });
    expect(stream.depth).toBe(2);
    expect(await reader.next()).toMatchObject({
      value: { type: 'update', object: { spec: { size: 4 } }, old: { spec: { size: 0 } } },
    });
    await reader.return?.();
  });

  it('with the policy fail, one change too many ends the reader with OVERFLOW, and only that one', async () => {
    const web = await synced();
    const strict = web.changes({ policy: 'fail', maxPending: 2 })[Symbol.asyncIterator]();
    const other = follow(web);
    const first = strict.next();
    for (let size = 0; size < 4; size += 1) server.put('a/x', size);
    await pass();
    await first;
    await expect(strict.next()).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(await strict.next()).toEqual({ done: true, value: undefined });
    expect(other.said.at(-1)).toBe('update a/x@14');
  });

  it('ends with the informer, by break, and by its signal with the reason', async () => {
    server.put('a/x');
    const web = await synced();
    const stop = new AbortController();
    const [byClose, bySignal] = [follow(web), follow(web, stop)];
    for await (const change of web.changes()) if (change.initial) break;
    await pass();
    stop.abort('enough');
    expect(await bySignal.ended).toBe('enough');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    await web.close();
    expect(await byClose.ended).toBe('end');
    expect(await follow(web).ended).toBe('end');
  });

  it('has one reader, and refuses bad options', async () => {
    const web = await synced();
    const stream = web.changes();
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
    expect(() => web.on({}, { maxPending: 0 })).toThrow(RangeError);
  });
});

describe('handlers', () => {
  it('find in the store at least what they are told of', async () => {
    const web = await synced();
    const found: (string | undefined)[] = [];
    web.on({
      add: ({ key }) => found.push(web.store.get(key)?.metadata.name),
      delete: ({ key }) => found.push(web.store.get(key)?.metadata.name),
    });
    server.put('a/x');
    await pass();
    server.delete('a/x');
    await pass();
    expect(found).toEqual(['x', undefined]);
  });

  it('that come late get everything, and are synced only when they have been through it', async () => {
    server.put('a/x');
    server.put('a/y');
    const web = await synced();
    const { said } = recorder();
    const gate = newGate();
    const late = web.on({
      add: async (change) => {
        said.push(short(change));
        await gate.wait();
      },
    });
    let done = false;
    void late.synced.then(() => (done = true));
    await pass();
    expect([said, done, late.depth]).toEqual([['add* a/x@11'], false, 1]);
    gate.open();
    await pass();
    expect([said.length, done]).toEqual([2, false]);
    gate.open();
    await pass();
    expect([done, late.depth]).toEqual([true, 0]);
  });

  it('that are added before the sync are synced after the first list; an empty list will do', async () => {
    const web = start();
    const { handlers } = recorder();
    const registration = web.on(handlers);
    await pass();
    await registration.synced;
  });

  it('that throw are reported, stay in order, sync, and do not touch the others', async () => {
    const web = await synced();
    const { said, handlers } = recorder();
    const bad = web.on({
      add: () => {
        throw new Error('no');
      },
      update: async () => {
        throw new Error('not either');
      },
    });
    web.on(handlers);
    server.put('a/x');
    await pass();
    server.put('a/x', 1);
    await pass();
    await bad.synced;
    expect(said).toEqual(['add a/x@11', 'update a/x@12']);
    expect(warnings.map(({ type, key }) => `${type} ${key}`)).toEqual(['HANDLER_FAILED a/x', 'HANDLER_FAILED a/x']);
  });

  it('that are slow are reported, and hold up neither the store nor the others', async () => {
    const web = await synced();
    const { said, handlers } = recorder();
    web.on({ add: () => new Promise((resolve) => void server.clock.after(40_000, () => resolve(undefined))) });
    web.on(handlers);
    server.put('a/x');
    server.put('a/y');
    await pass(30_000);
    expect([said.length, web.store.size]).toEqual([2, 2]);
    expect(warnings).toMatchObject([
      { type: 'HANDLER_SLOW', key: 'a/x', message: expect.stringContaining('1 changes wait') },
    ]);
  });

  it('that never return cost neither the end of the watch nor the checkpoint', async () => {
    let saved = 0;
    const checkpoint = {
      load: async () => undefined,
      save: async () => {
        saved += 1;
      },
    };
    server.put('a/x');
    const web = await synced({ checkpoint });
    const gate = newGate();
    web.on({ add: () => gate.wait() });
    await pass();
    const closing = web.close();
    await pass();
    expect([server.watches.size, saved]).toEqual([0, 1]);
    gate.open();
    await closing;
  });

  it('with the policy fail that fall too far behind are reported and called no more; the others go on', async () => {
    const web = await synced();
    const gate = newGate();
    const strict = web.on({ add: () => gate.wait() }, { policy: 'fail', maxPending: 2 });
    const { said, handlers } = recorder();
    web.on(handlers);
    for (let n = 0; n < 5; n += 1) {
      server.put(`a/${n}`);
      await pass();
    }
    expect(warnings).toMatchObject([{ type: 'HANDLER_FAILED', error: { code: 'OVERFLOW' } }]);
    gate.open();
    await strict();
    expect([said.length, web.status.phase]).toEqual([5, 'live']);
  });

  it('one set of handlers can be added twice, and each is on its own', async () => {
    const web = await synced();
    const { said, handlers } = recorder();
    const [first] = [web.on(handlers), web.on(handlers)];
    server.put('a/x');
    await pass();
    await first?.();
    server.put('a/y');
    await pass();
    expect(said).toEqual(['add a/x@11', 'add a/x@11', 'add a/y@12']);
  });

  it('are called one at a time and in order', async () => {
    const web = await synced();
    const log: string[] = [];
    web.on({
      add: async ({ key }) => {
        log.push(`begin ${key}`);
        await Promise.resolve();
        log.push(`end ${key}`);
      },
    });
    server.put('a/x');
    server.put('a/y');
    await pass();
    expect(log).toEqual(['begin a/x', 'end a/x', 'begin a/y', 'end a/y']);
  });

  it('that are removed are called no more, and the removal waits for the running call', async () => {
    const web = await synced();
    const log: string[] = [];
    const gate = newGate();
    const off = web.on({
      add: async ({ key }) => {
        await gate.wait();
        log.push(key);
      },
    });
    server.put('a/x');
    server.put('a/y');
    await pass();
    const removed = off().then(() => log.push('removed'));
    await pass();
    expect(log).toEqual([]);
    gate.open();
    await removed;
    server.put('a/z');
    await pass();
    expect(log).toEqual(['a/x', 'removed']);
    await off();
  });

  it('added and removed at random, a thousand times, get nothing wrong', async () => {
    const web = await synced();
    const offs: (() => Promise<void>)[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      const { handlers } = recorder();
      offs.push(web.on(handlers));
      if (n % 3 === 0) await offs[n >> 1]?.();
      if (n % 10 === 0) server.put(`a/${n % 7}`, n);
    }
    await pass();
    await Promise.all(offs.map((off) => off()));
    expect(warnings).toEqual([]);
  });

  it('hear everything once more on a resync of all or of their own, as updates', async () => {
    server.put('a/x');
    server.put('a/y');
    const web = await synced();
    const { said, handlers } = recorder();
    const first = web.on(handlers);
    await pass();
    said.length = 0;
    web.resync();
    await pass();
    expect(said).toEqual(['update a/x@11', 'update a/y@12']);
    said.length = 0;
    first.resync();
    await pass();
    expect(said).toEqual(['update a/x@11', 'update a/y@12']);
    expect(server.requests).toHaveLength(1);
  });

  it('after the informer was closed are never called', async () => {
    server.put('a/x');
    const web = await synced();
    await web.close();
    const { said, handlers } = recorder();
    const off = web.on(handlers);
    await expect(off.synced).rejects.toThrow();
    await off();
    expect(said).toEqual([]);
  });
});

describe('the transform', () => {
  it('is seen by store and handlers alike, and a resync does not run it again', async () => {
    let runs = 0;
    server.put('a/x', 1);
    const web = await synced({
      transform: (object) => {
        runs += 1;
        return { ...object, spec: { size: 100 } };
      },
    });
    const sizes: unknown[] = [];
    web.on({
      add: ({ object }) => sizes.push(object.spec?.size),
      update: ({ object }) => sizes.push(object.spec?.size),
    });
    await pass();
    web.resync();
    await pass();
    expect([runs, sizes, web.store.get('a/x')?.spec?.size]).toEqual([1, [100, 100], 100]);
  });

  it('that throws is reported, and the object is there', async () => {
    server.put('a/x', 1);
    const web = await synced({
      transform: () => {
        throw new Error('no');
      },
    });
    expect(web.store.size).toBe(1);
    expect(warnings).toMatchObject([{ type: 'TRANSFORM_FAILED', key: 'a/x' }]);
  });
});

describe('ending', () => {
  it('close is idempotent, ends the watch and the waits, and says stopped', async () => {
    const web = await synced();
    const waiting = web.store.waitFor('9999');
    const [first, second] = [web.close(), web.close()];
    await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
    await Promise.all([first, second]);
    expect([web.status.phase, server.watches.size]).toEqual(['stopped', 0]);
  });

  it('its signal ends it, also one that was aborted before, and keeps no listener', async () => {
    const stop = new AbortController();
    const web = await synced({ signal: stop.signal });
    stop.abort();
    await web.close();
    expect([web.status.phase, getEventListeners(stop.signal, 'abort').length]).toEqual(['stopped', 0]);
    const never = start({ signal: stop.signal });
    await never.close();
    expect(server.requests).toHaveLength(1);
  });

  it('during a list touches the store no more', async () => {
    for (let n = 0; n < 3; n += 1) server.put(`a/${n}`);
    const web = start({ initialStrategy: 'listWatch', pageSize: 1, listSemantic: 'mostRecent' });
    server.betweenPages = () => void web.close();
    await pass();
    await web.close();
    expect([web.store.size, server.seen('watch')]).toEqual([0, []]);
  });

  it('can be left to await using', async () => {
    {
      await using web = informer(server, things);
      await pass();
      await web.synced;
    }
    expect(server.watches.size).toBe(0);
  });
});

describe('a cluster that was closed', () => {
  const closed = new TransportError('CLIENT_CLOSED', 'list things at https://model: the client was closed');

  it.each(['live', 'waiting'])('stops an informer that is %s, and its status says why', async (when) => {
    if (when === 'waiting') server.failNext('stream', new TransportError('CONNECT', 'refused'));
    const made = start();
    const { said, handlers } = recorder();
    const registration = made.on(handlers);
    const { synced: first } = made;
    first.catch(() => {});
    await pass();
    server.fault = () => closed;
    server.cutWatches(closed);
    const waited = made.store.waitFor('99');
    waited.catch(() => {});
    await pass(2_000);
    expect(made.status).toMatchObject({ phase: 'stopped', reason: expect.stringContaining('the client was closed') });
    await expect(waited).rejects.toMatchObject({ code: 'CLOSED' });
    if (when === 'waiting') await expect(first).rejects.toMatchObject({ code: 'CLOSED', cause: closed });
    for await (const change of made.changes()) expect.unreachable(change.key);
    await registration();
    expect([said, server.clock.pending]).toEqual([[], 0]);
  });
});

describe('a stream that was made before close() and is first read after it', () => {
  it('ends at once', async () => {
    server.put('a/x');
    const made = await synced();
    const stream = made.changes();
    await made.close();
    for await (const change of stream) expect.unreachable(change.key);
  });
});

describe('errors', () => {
  it('name the resource, the namespace and the server', async () => {
    server.failNext('stream', forbidden(things, '', 'not today'));
    server.failNext('list', forbidden(things, '', 'not today'));
    const made = start({ namespace: 'a' });
    await pass();
    expect(made.status.reason).toMatch(/^things\.example\.org in a at https:\/\/model: the list failed: /u);
  });

  it('a bad selector and an unknown option throw at the call', () => {
    expect(() => start({ labelSelector: 'a=(' })).toThrow('labelSelector "a=("');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript would call it
    expect(() => start({ labelSelectors: 'a=b' } as object)).toThrow('unknown option "labelSelectors" of informer');
  });
});
