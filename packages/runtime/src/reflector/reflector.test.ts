import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resourceVersion } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../test/model-object.ts';
import { CompactKeeper } from '../store/compact-keeper.ts';
import type { CompactObject } from '../store/compact-object.ts';
import { type ObjectKeeper, PlainKeeper } from '../store/object-keeper.ts';
import { objectKey } from '../store/object-key.ts';
import { StoreWriter } from '../store/store-writer.ts';
import type { WatcherOutput } from '../watcher/watcher-state.ts';
import { WatcherError } from '../watcher-error.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import type { StoreChange } from './store-change.ts';

interface Bench {
  readonly writer: StoreWriter<Thing>;
  readonly reflector: Reflector<Thing>;
  /** Applies, and says what changed. */
  readonly tell: (...outputs: readonly WatcherOutput<Thing>[]) => readonly string[];
  readonly changes: readonly StoreChange<Thing>[];
}

function bench(
  options: Partial<ReflectorOptions<Thing>> = {},
  keeper: ObjectKeeper<Thing> = new PlainKeeper<Thing>('none'),
): Bench {
  const writer = new StoreWriter(keeper, [options.source ?? '']);
  const reflector = new Reflector(writer, { source: '', ...options });
  const changes: StoreChange<Thing>[] = [];
  const tell = (...outputs: readonly WatcherOutput<Thing>[]): readonly string[] => {
    const news = outputs.flatMap((output) => reflector.apply(output));
    changes.push(...news);
    return news.map(
      (change) => `${change.type} ${change.key}@${change.object.metadata.resourceVersion}${note(change)}`,
    );
  };
  return { writer, reflector, tell, changes };
}

function refuse(): never {
  throw new Error('no');
}

function note(change: StoreChange<Thing>): string {
  if (change.type === 'delete') return change.finalStateKnown ? '' : ' missed';
  return change.initial ? ' initial' : '';
}

const init: WatcherOutput<Thing> = { type: 'init' };
const listed = (object: Thing): WatcherOutput<Thing> => ({ type: 'initApply', object });
const done = (version: number): WatcherOutput<Thing> => ({
  type: 'initDone',
  resourceVersion: resourceVersion(String(version)),
});
const apply = (...objects: readonly Thing[]): WatcherOutput<Thing> => ({
  type: 'changes',
  events: objects.map((object) => ({ type: 'MODIFIED', object })),
});
const gone = (...objects: readonly Thing[]): WatcherOutput<Thing> => ({
  type: 'changes',
  events: objects.map((object) => ({ type: 'DELETED', object })),
});
/** While a list is under way. */
const unlisted = (object: Thing): WatcherOutput<Thing> => ({
  type: 'delete',
  key: objectKey(object),
  object,
  finalStateKnown: true,
});

/** A list of these. */
function list(version: number, ...objects: readonly Thing[]): readonly WatcherOutput<Thing>[] {
  return [init, ...objects.map(listed), done(version)];
}

describe('a first list', () => {
  it('is seen as a whole or not at all', () => {
    const { writer, tell } = bench();
    expect(tell(init, listed(thing('a/x', 1)), listed(thing('a/y', 2)))).toEqual([]);
    expect([writer.store.size, writer.store.resourceVersion]).toEqual([0, undefined]);
    expect(tell(done(9))).toEqual(['add a/x@1 initial', 'add a/y@2 initial']);
    expect([writer.store.size, writer.store.resourceVersion]).toEqual([2, '9']);
  });

  it('an object that is told twice is one object, in its last state', () => {
    expect(bench().tell(...list(9, thing('a/x', 1), thing('a/x', 2)))).toEqual(['add a/x@2 initial']);
  });

  it('that nobody follows fills the store and makes no changes', () => {
    let isFollowed = false;
    const { writer, tell } = bench({ isFollowed: () => isFollowed });
    expect(tell(...list(9, thing('a/x', 1)))).toEqual([]);
    expect([writer.store.size, writer.store.resourceVersion]).toEqual([1, '9']);
    tell(...list(10));
    isFollowed = true;
    expect(tell(...list(12, thing('a/y', 11)))).toEqual(['add a/y@11']);
  });

  it('what left while it was being listed is not in it', () => {
    const { tell } = bench();
    expect(tell(init, listed(thing('a/x', 1)), unlisted(thing('a/x', 2)), done(2))).toEqual([]);
  });
});

describe.each([
  ['plain', new PlainKeeper<Thing>('none')],
  ['compact', new CompactKeeper<Thing>('none')],
])('another object of the same name and version, in a %s store', (_, keeper) => {
  const old = thing('a/x', 5, 0, 'uid-1');
  const another = thing('a/x', 5, 1, 'uid-2');

  it.each([
    ['in a relist', list(5, another)],
    ['in a MODIFIED event', [apply(another)]],
  ])('%s is a delete and an add', (__, outputs) => {
    const { tell, changes, writer } = bench({}, keeper);
    tell(...list(5, old));
    expect(tell(...outputs)).toEqual(['delete a/x@5 missed', 'add a/x@5']);
    expect(changes.at(-2)?.object.metadata.uid).toBe('uid-1');
    expect(writer.store.get('a/x')?.metadata.uid).toBe('uid-2');
  });

  it('than one from a checkpoint is a delete and an add', () => {
    const { reflector, tell } = bench({}, keeper);
    reflector.restore([old], resourceVersion('5'));
    expect(tell(...list(5, another))).toEqual(['delete a/x@5 missed', 'add a/x@5']);
  });
});

describe.each([
  ['plain', (): ObjectKeeper<Thing> => new PlainKeeper<Thing>('none')],
  ['compact', (): ObjectKeeper<Thing> => new CompactKeeper<Thing>('none')],
])('a list of a server that was restored or replaced, in a %s store', (_, keeper) => {
  it('tells an object that is different in the same version, and not one that is the same', () => {
    const { tell } = bench({}, keeper());
    tell(...list(5, thing('a/x', 4, 1), thing('a/y', 5, 1)));
    const relist: readonly WatcherOutput<Thing>[] = [{ type: 'init', otherHistory: true }, listed(thing('a/x', 4, 2))];
    expect(tell(...relist, listed(thing('a/y', 5, 1)), done(5))).toEqual(['update a/x@4']);
  });
});

describe('changes', () => {
  it('an apply of something unknown is an add, of something known an update with what it was', () => {
    const { tell, changes } = bench();
    tell(...list(1));
    expect(tell(apply(thing('a/x', 2, 2)), apply(thing('a/x', 3, 3)))).toEqual(['add a/x@2', 'update a/x@3']);
    expect(changes.at(-1)).toMatchObject({ old: { spec: { size: 2 } }, object: { spec: { size: 3 } } });
  });

  it('the same version again is no change', () => {
    const { tell } = bench();
    tell(...list(1, thing('a/x', 1)));
    expect(tell(apply(thing('a/x', 1)))).toEqual([]);
  });

  it('a delete carries the last state; one of something unknown is no news', () => {
    const { tell, writer } = bench();
    tell(...list(1, thing('a/x', 1)));
    expect(tell(gone(thing('a/x', 5)), gone(thing('a/y', 6)))).toEqual(['delete a/x@5']);
    expect([writer.store.size, writer.store.resourceVersion]).toEqual([0, '6']);
  });

  it('that came together are told in their order, and move the version to the last', () => {
    const { writer, tell } = bench();
    tell(...list(9, thing('a/x', 1), thing('a/y', 2)));
    const events = [
      { type: 'MODIFIED', object: thing('a/x', 10) },
      { type: 'DELETED', object: thing('a/y', 11) },
      { type: 'ADDED', object: thing('a/z', 12) },
      { type: 'MODIFIED', object: thing('a/x', 13) },
    ] as const;
    expect(tell({ type: 'changes', events })).toEqual([
      'update a/x@10',
      'delete a/y@11',
      'add a/z@12',
      'update a/x@13',
    ]);
    expect([writer.store.size, writer.store.resourceVersion]).toEqual([2, '13']);
  });

  it('bookmarks and deletes move the version of the store', () => {
    const { tell, writer } = bench();
    tell(...list(1), { type: 'bookmark', resourceVersion: resourceVersion('10') });
    expect(writer.store.resourceVersion).toBe('10');
    tell(apply(thing('a/x', 11)), gone(thing('a/x', 12)));
    expect(writer.store.resourceVersion).toBe('12');
  });

  it('another object of the same name is a delete and an add', () => {
    const { tell } = bench();
    tell(...list(1, thing('a/x', 1, 0, 'first')));
    expect(tell(apply(thing('a/x', 5, 0, 'second')))).toEqual(['delete a/x@1 missed', 'add a/x@5']);
  });
});

describe('a relist', () => {
  it('tells deletes first, then what changed and what is new, in the order of the list, and nothing of what is the same', () => {
    const { tell, writer } = bench();
    tell(...list(9, thing('a/1', 1), thing('a/2', 2), thing('a/3', 3)));
    expect(tell(...list(20, thing('a/4', 12), thing('a/1', 1), thing('a/2', 11)))).toEqual([
      'delete a/3@3 missed',
      'add a/4@12',
      'update a/2@11',
    ]);
    expect([...writer.store.keys()].toSorted()).toEqual(['a/1', 'a/2', 'a/4']);
  });

  it('serves the old state until the new one is whole', () => {
    const { tell, writer } = bench();
    tell(...list(9, thing('a/1', 1)));
    tell(init, listed(thing('a/2', 10)));
    expect([...writer.store.keys()]).toEqual(['a/1']);
  });

  it('that fails and begins anew forgets what it had', () => {
    const { tell } = bench();
    tell(...list(9, thing('a/1', 1)));
    const error = new WatcherError('INITIAL_LIST_FAILED', 'cut', { cause: undefined });
    expect(tell(init, listed(thing('a/2', 10)), { type: 'error', error }, ...list(12, thing('a/1', 1)))).toEqual([]);
    expect(tell(init, listed(thing('a/2', 10)), ...list(12, thing('a/1', 1)))).toEqual([]);
  });

  it('keeps the very object that it has when the version is the same', () => {
    const { tell, writer } = bench();
    tell(...list(9, thing('a/1', 1)));
    const before = writer.store.get('a/1');
    tell(...list(20, thing('a/1', 1)));
    expect(writer.store.get('a/1')).toBe(before);
  });

  it('an object made anew in the gap: the delete of the old one is not lost', () => {
    const { tell } = bench();
    tell(...list(9, thing('a/1', 1, 0, 'first')));
    expect(tell(...list(20, thing('a/1', 15, 0, 'second')))).toEqual(['delete a/1@1 missed', 'add a/1@15']);
  });

  it('one made anew in the gap that goes during the list: the delete is of the one that was known', () => {
    const { tell, changes } = bench();
    tell(...list(9, thing('a/1', 1, 0, 'first')));
    const second = thing('a/1', 15, 0, 'second');
    expect(tell(init, listed(second), unlisted(second), done(16))).toEqual(['delete a/1@1 missed']);
    expect(changes.at(-1)?.object.metadata.uid).toBe('first');
  });

  it('that finds nothing empties the store', () => {
    const { tell, writer } = bench();
    tell(...list(9, thing('a/1', 1)));
    expect(tell(...list(20))).toEqual(['delete a/1@1 missed']);
    expect(writer.store.size).toBe(0);
  });

  it('of one namespace leaves the others alone', () => {
    const writer = new StoreWriter(new PlainKeeper<Thing>('none'), ['a', 'b']);
    const [first, second] = ['a', 'b'].map((source) => new Reflector(writer, { source }));
    for (const output of list(5, thing('a/x', 1))) first?.apply(output);
    for (const output of list(5, thing('b/x', 2))) second?.apply(output);
    for (const output of list(6)) first?.apply(output);
    expect([...writer.store.keys()]).toEqual(['b/x']);
  });
});

describe('the transform', () => {
  it('runs once on each object before it is kept, and not on what is already there', () => {
    let runs = 0;
    const transform = (object: Thing): Thing => {
      runs += 1;
      return { ...object, spec: { size: (object.spec?.size ?? 0) + 100 } };
    };
    const { tell, writer, changes } = bench({ transform });
    tell(...list(9, thing('a/1', 1, 1)));
    tell(...list(12, thing('a/1', 1, 1), thing('a/2', 11, 2)), gone(thing('a/2', 13, 3)));
    expect(runs).toBe(3);
    expect(writer.store.get('a/1')?.spec?.size).toBe(101);
    expect(changes.at(-1)?.object.spec?.size).toBe(103);
  });

  it('that throws is reported, and the object is kept as it came', () => {
    const problems: string[] = [];
    const { tell, writer } = bench({ transform: refuse, onTransformError: (_, key) => problems.push(key) });
    tell(...list(9, thing('a/1', 1, 7)));
    expect([problems, writer.store.get('a/1')?.spec?.size]).toEqual([['a/1'], 7]);
  });
});

it('100 000 random operations leave no object twice and none too many', () => {
  const names = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const operation = fc.tuple(fc.constantFrom(...names), fc.nat(3));
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1_000, maxLength: 1_000 }), (operations) => {
      const { writer, tell } = bench();
      const model = new Map<string, number>();
      let version = 1;
      tell(...list(version));
      for (const [name, kind] of operations) {
        version += 1;
        const key = `a/${name}`;
        if (kind === 0) {
          tell(gone(thing(key, version)));
          model.delete(key);
        } else if (kind === 1 && model.size > 4) {
          const kept = [...model].slice(1);
          model.clear();
          for (const [other, at] of kept) model.set(other, at);
          tell(...list(version, ...kept.map(([other, at]) => thing(other, at))));
        } else {
          tell(apply(thing(key, version)));
          model.set(key, version);
        }
      }
      const found = new Map(
        writer.store.list().map((object) => [`a/${object.metadata.name}`, Number(object.metadata.resourceVersion)]),
      );
      expect(found).toEqual(model);
    }),
    { numRuns: 100 },
  );
});

/** With many small members, as a pod has: as objects they take about twice their JSON. */
function large(n: number): Thing & { readonly ports: readonly unknown[] } {
  const ports = Array.from({ length: 30 }, (_, i) => ({ name: `port-${i}`, containerPort: i, protocol: 'TCP' }));
  return { ...thing(`a/${n}`, n + 1), ports };
}

describe('a compact store', () => {
  it('gathers a first list as bytes: it never takes more than 1.4 times its JSON', async () => {
    const { writer, tell } = bench({ isFollowed: () => true }, new CompactKeeper<Thing>('none'));
    collectGarbage();
    const before = process.memoryUsage();
    let bytes = 0;
    tell(init);
    for (let n = 0; n < 5_000; n += 1) {
      const object = large(n);
      bytes += JSON.stringify(object).length;
      tell(listed(object));
    }
    await eventually('the list is held as bytes', () => heldSince(before) < 1.4 * bytes);
    tell(done(5_000));
    expect([writer.store.size, writer.store.get('a/7')]).toEqual([5_000, large(7)]);
  });

  it('tells of a first list without parsing it: objects are parsed when a handler looks at them', () => {
    const { writer, reflector } = counted();
    reflector.apply(init);
    reflector.apply({ type: 'initBatch', objects: [large(1), large(2)] });
    const changes = reflector.apply(done(5));
    expect([changes.map(({ key }) => key), writer.reads]).toEqual([['a/1', 'a/2'], 0]);
    expect(changes.map(({ object }) => object)).toEqual([large(1), large(2)]);
    expect([changes[0]?.object === changes[0]?.object, writer.reads]).toEqual([true, 2]);
    expect({ ...changes[0] }).toEqual({ type: 'add', key: 'a/1', object: large(1), initial: true });
  });

  it('parses nothing while nobody follows it and there is no index', () => {
    const { writer, reflector } = counted(() => false);
    const [first] = [large(1)];
    for (const output of [...list(5, first), apply(thing('a/1', 7), thing('a/2', 8)), ...list(9, thing('a/2', 9))])
      expect(reflector.apply(output)).toEqual([]);
    reflector.apply({ type: 'delete', key: 'a/2', object: thing('a/2', 10), finalStateKnown: true });
    expect(writer.reads).toBe(0);
  });

  it('updates and deletes have the objects that were there, also after the store has moved its bytes', () => {
    const { reflector } = counted();
    for (const output of list(1, ...Array.from({ length: 3_000 }, (_, n) => large(n)))) reflector.apply(output);
    const versions = Array.from({ length: 3_000 }, (_, n) => ({ ...large(n), ...thing(`a/${n}`, n + 9_000, n) }));
    const changes = list(20_000, ...versions.slice(0, 2_000)).flatMap((output) => reflector.apply(output));
    expect(changes).toHaveLength(3_000);
    for (const change of changes) {
      const n = Number(change.key.slice(2));
      if (change.type === 'delete') expect(change.object).toEqual(large(n));
      if (change.type === 'update') expect([change.old, change.object]).toEqual([large(n), versions[n]]);
    }
  });
});

/** A compact store that counts what it parses. */
function counted(isFollowed = (): boolean => true): {
  readonly writer: { readonly reads: number };
  readonly reflector: Reflector<Thing>;
} {
  const keeper = new CountingKeeper<Thing>('none');
  const writer: StoreWriter<Thing> = new StoreWriter<Thing, CompactObject>(keeper);
  return { writer: keeper, reflector: new Reflector(writer, { source: '', isFollowed }) };
}

class CountingKeeper<T extends Thing> extends CompactKeeper<T> {
  reads = 0;

  override read(kept: CompactObject): T {
    this.reads += 1;
    return super.read(kept);
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function heldSince(before: NodeJS.MemoryUsage): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
}
