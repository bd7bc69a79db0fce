import { isStatusError } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { isStorageError, requireCommitted } from '@listwatch/storage';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VerbContext } from '../contract/verb.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { TestSink } from '../watch/test-sink.fixture.ts';
import { callOf, verbContext } from '../write/verb.fixture.ts';
import { type BreakableFeed, breakableFeed } from './breakable-feed.fixture.ts';
import { listVerb } from './list.ts';
import { watchVerb } from './open-watch.ts';
import { originOf } from './read-origin.fixture.ts';

const PATH = '/api/v1/namespaces/x/configmaps';
const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** A server's caches on a store whose feed breaks, and what every watch of it must have seen. */
class Model {
  readonly feed: BreakableFeed = breakableFeed();
  readonly clock = new FakeClock();
  readonly caches: StorageCaches;
  readonly context: VerbContext;
  /** The events of all changes, as a watch shows them. */
  readonly history: { readonly revision: bigint; readonly event: string }[] = [];
  /** The objects after each change: `ADDED a@2`, by name. */
  readonly states = new Map<bigint, readonly string[]>();
  readonly #objects = new Map<string, bigint>();
  /** `after` is undefined for a watch that begins with the current objects. */
  readonly watches: { readonly sink: TestSink; readonly after: bigint | undefined }[] = [];
  readonly #opening: Promise<void>[] = [];

  constructor() {
    const { engine } = this.feed;
    const { clock } = this;
    const options = { engine, definitions: [configMap], clock };
    this.caches = storageCaches({ ...options, window: () => ({ minCapacity: 4, maxCapacity: 4 }) });
    this.context = verbContext(engine, clock);
  }

  async start(): Promise<void> {
    await this.put('z');
    await this.caches.feed.start();
  }

  async put(name: string): Promise<void> {
    const layout = layoutOf(configMap);
    const value = layout.encode({ ...layout.type, metadata: { name, namespace: 'x' } });
    const type = this.#objects.has(name) ? 'MODIFIED' : 'ADDED';
    this.#record(type, name, await this.#commit({ type: 'put', key: this.#key(name), value }));
  }

  async delete(name: string): Promise<void> {
    if (!this.#objects.has(name)) return;
    this.#record('DELETED', name, await this.#commit({ type: 'delete', key: this.#key(name) }));
  }

  /** Opens a watch and does not wait for it: whatever comes next happens while it is opened. */
  open(after: bigint | undefined, full: boolean, delay: number): void {
    this.#opening.push(this.#open(after, full, delay));
  }

  async settle(): Promise<void> {
    for (const { sink } of this.watches) sink.drain();
    await this.clock.advance(30_000);
    await Promise.all(this.#opening);
    for (const { sink } of this.watches) sink.drain();
    await this.put('last');
    await this.clock.advance(1000);
  }

  check(): void {
    for (const { sink, after } of this.watches) {
      const events = sink.events.filter((event) => !event.startsWith('ERROR'));
      const end = events.findIndex((event) => event.startsWith('BOOKMARK end'));
      const start = after ?? (end === -1 ? undefined : BigInt(events[end]?.split('@')[1] ?? ''));
      // A watch that ended within its initial objects promised nothing yet.
      if (start === undefined) {
        expect(sink.ended).toBe(true);
        continue;
      }
      if (after === undefined) expect(events.slice(0, end)).toEqual(this.states.get(start));
      const seen = events.slice(end + 1);
      const all = this.history.filter(({ revision }) => revision > start).map(({ event }) => event);
      expect(seen).toEqual(sink.ended ? all.slice(0, seen.length) : all);
    }
  }

  async close(): Promise<void> {
    await this.caches.feed.stop();
    await this.feed.engine.close();
    expect(this.clock.pending, 'timers are left').toBe(0);
  }

  async #open(after: bigint | undefined, full: boolean, delay: number): Promise<void> {
    const query = `watch=true&${after === undefined ? INITIAL : `resourceVersion=${after}`}`;
    try {
      const response = await watchVerb(this.caches, originOf(this.context), { clock: this.context.store.clock })(
        this.context,
        callOf(configMap, PATH, query),
      );
      await turns(delay);
      if (response.type !== 'watch') throw new Error('a watch does not answer with bytes');
      const sink = new TestSink();
      sink.full = full;
      this.watches.push({ sink, after });
      response.start(sink);
    } catch (error) {
      // A cache that is loaded again asks the client to come back.
      if (!isStatusError(error) || error.httpCode !== 429) throw error;
    }
  }

  async #commit(change: Parameters<BreakableFeed['engine']['commit']>[0]): Promise<bigint> {
    return requireCommitted(await this.feed.engine.commit(change), change.key);
  }

  #record(type: string, name: string, revision: bigint): void {
    this.history.push({ revision, event: `${type} ${name}@${revision}` });
    if (type === 'DELETED') this.#objects.delete(name);
    else this.#objects.set(name, revision);
    const names = [...this.#objects].toSorted(([left], [right]) => (left < right ? -1 : 1));
    this.states.set(
      revision,
      names.map(([one, at]) => `ADDED ${one}@${at}`),
    );
  }

  #key(name: string): string {
    return `${this.caches.kind(configMap).cache.root}x/${name}`;
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

type Action = (model: Model) => Promise<void> | void;

const name = fc.constantFrom('a', 'b', 'c');
const few = fc.integer({ min: 0, max: 30 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: name.map((one) => (model: Model) => model.put(one)) },
  { weight: 2, arbitrary: name.map((one) => (model: Model) => model.delete(one)) },
  { weight: 3, arbitrary: fc.constant((model: Model) => model.feed.breakFeed()) },
  { weight: 4, arbitrary: few.map((count) => () => turns(count)) },
  { weight: 2, arbitrary: fc.constantFrom(0, 60, 150).map((ms) => (model: Model) => model.clock.advance(ms)) },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(), fc.boolean(), few).map(([index, full, delay]) => (model: Model) => {
      model.open(model.history[index % model.history.length]?.revision, full, delay);
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.boolean(), few).map(
      ([full, delay]) =>
        (model: Model) =>
          model.open(undefined, full, delay),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat().map((index) => (model: Model) => {
      model.watches[index % Math.max(1, model.watches.length)]?.sink.drain();
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant((model: Model) => model.caches.kind(configMap).cache.generation?.forgetChanges()),
  },
  {
    weight: 1,
    arbitrary: few.map((ago) => async (model: Model) => {
      const to = model.history.at(-1 - ago)?.revision ?? 1n;
      await model.feed.engine.compact(to).catch((error: unknown) => {
        if (!isStorageError(error, 'COMPACTED')) throw error;
      });
    }),
  },
);

it('a watch has every change in order, or has ended, whenever the feed is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      const model = new Model();
      await model.start();
      for (const act of actions) await act(model);
      await model.settle();
      model.check();
      expect(model.caches.kind(configMap).counts.watchers).toBe(model.watches.filter(({ sink }) => !sink.ended).length);
      await model.close();
    }),
    { numRuns: 150 },
  );
});

it('a list is one state of the store, whenever the feed is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 30 }),
      fc.array(few, { maxLength: 10 }),
      async (actions, gaps) => {
        const model = new Model();
        await model.start();
        const lists: Promise<void>[] = [];
        for (const [index, act] of actions.entries()) {
          await act(model);
          if (gaps.includes(index)) lists.push(listed(model));
        }
        await model.settle();
        await Promise.all(lists);
        await model.close();
      },
    ),
    { numRuns: 100 },
  );
});

/** Lists in pages of two and compares all of them with the state of the first one's version. */
async function listed(model: Model): Promise<void> {
  const seen: string[] = [];
  let [token, version] = ['', ''];
  try {
    do {
      const query = `limit=2&continue=${encodeURIComponent(token)}`;
      const response = await listVerb(model.caches, originOf(model.context))(
        model.context,
        callOf(configMap, PATH, query),
      );
      if (response.type !== 'bytes') throw new Error('a short list is not streamed');
      const { metadata, items }: ListBody = JSON.parse(response.body.toString());
      seen.push(...items.map((item) => `ADDED ${item.metadata.name}@${item.metadata.resourceVersion}`));
      expect(metadata.resourceVersion).toBe(version === '' ? metadata.resourceVersion : version);
      [token, version] = [metadata.continue ?? '', metadata.resourceVersion];
    } while (token !== '');
  } catch (error) {
    // 410: compacted between two pages. 429: the cache is loaded again.
    if (!isStatusError(error) || ![410, 429].includes(error.httpCode)) throw error;
    return;
  }
  const state = [...model.states].findLast(([revision]) => revision <= BigInt(version))?.[1];
  expect(seen).toEqual(state);
}

interface ListBody {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string; readonly resourceVersion: string } }[];
}
