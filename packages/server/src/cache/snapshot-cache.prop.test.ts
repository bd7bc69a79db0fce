import { FakeClock } from '@listwatch/api/fake-clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { type CachedObject, objectBytes } from './cached-object.ts';
import { ChangeWindow } from './change-window.ts';
import { type ObjectChange, type ObjectSnapshot, ObjectTree } from './object-tree.ts';
import { SnapshotCache } from './snapshot-cache.ts';

/** A tree, its window and its snapshots, changed as a generation of a cache changes them. */
class Model {
  readonly clock = new FakeClock();
  readonly budget: ByteBudget;
  readonly tree = new ObjectTree();
  readonly window: ChangeWindow;
  readonly snapshots: SnapshotCache;
  revision = 1n;
  /** The snapshots that must be kept, by revision. */
  kept: ObjectSnapshot[] = [];

  constructor(maxBytes = Number.POSITIVE_INFINITY, window = 20) {
    this.budget = new ByteBudget(maxBytes);
    this.window = new ChangeWindow(1n, { minCapacity: window, maxCapacity: window });
    this.snapshots = new SnapshotCache(this.budget, this.clock);
  }

  write(key: string, size: number | undefined): void {
    const previous = this.tree.get(key);
    this.revision += 1n;
    const { revision } = this;
    const bytes = Buffer.alloc(size ?? 0);
    const object: CachedObject | undefined =
      size === undefined
        ? undefined
        : { key, namespace: '', name: key, revision, bytes, labels: {}, fields: {}, owned: false };
    if (object !== undefined) this.tree.set(object);
    else if (previous === undefined) return;
    else this.tree.delete(key);
    const change: ObjectChange = { key, revision, object, previous };
    this.snapshots.changed(change);
    this.window.append(change, 0);
  }

  list(): void {
    this.#keep(this.tree.snapshot(this.revision));
  }

  /** A list at a revision of the past. */
  listAt(ago: number): void {
    const revision = this.revision - BigInt(ago);
    const before = this.kept.find((one) => one.revision === revision);
    const made = this.snapshots.at(revision, this.tree.snapshot(this.revision), this.window);
    if (made !== undefined && before === undefined) this.kept = [...this.kept, made].toSorted(byRevision);
    expect(made === undefined).toBe(revision < this.window.oldestStart && before === undefined);
  }

  evict(): void {
    this.snapshots.evictOldest();
    this.kept.shift();
  }

  /** Bytes of the objects that are in a snapshot and not in the tree, each counted once. */
  retained(): number {
    const objects = new Set<CachedObject>();
    for (const snapshot of this.kept) for (const object of snapshot.walk()) objects.add(object);
    let bytes = 0;
    for (const object of objects) if (this.tree.get(object.key) !== object) bytes += objectBytes(object);
    return bytes;
  }

  #keep(snapshot: ObjectSnapshot): void {
    this.snapshots.keep(snapshot, this.window);
    if (!this.kept.some((one) => one.revision === snapshot.revision)) this.kept.push(snapshot);
  }
}

function byRevision(left: ObjectSnapshot, right: ObjectSnapshot): number {
  return Number(left.revision - right.revision);
}

const key = fc.constantFrom('a', 'b', 'c', 'd');
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(key, fc.integer({ min: 1, max: 5000 })).map(
      ([k, n]) =>
        (m: Model) =>
          m.write(k, n),
    ),
  },
  { weight: 2, arbitrary: key.map((k) => (m: Model) => m.write(k, undefined)) },
  { weight: 3, arbitrary: fc.constant((m: Model) => m.list()) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 30 }).map((ago) => (m: Model) => m.listAt(ago)) },
  { weight: 1, arbitrary: fc.constant((m: Model) => m.evict()) },
);

describe('snapshots', () => {
  it('are charged for exactly the objects that only they keep, and for the nodes of their trees', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const model = new Model();
        for (const act of actions) {
          act(model);
          const nodes = model.kept.reduce((sum, snapshot) => sum + 2560 + snapshot.size * 64, 0);
          const retained = model.retained();
          expect(model.snapshots.bytes).toBeGreaterThanOrEqual(retained);
          expect(model.snapshots.bytes).toBeLessThanOrEqual(retained + nodes);
          expect(model.budget.used).toBe(model.snapshots.bytes);
        }
        model.snapshots.clear();
        expect([model.snapshots.bytes, model.budget.used, model.clock.pending]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('of a kind that is written between seventy paged lists stay below the limit', () => {
    const model = new Model(1_000_000, 1000);
    for (let round = 0; round < 70; round += 1) {
      for (let i = 0; i < 10; i += 1) model.write(`k${i}`, 10_000);
      model.list();
    }
    expect(model.snapshots.size).toBeGreaterThan(5);
    expect(model.budget.used).toBeLessThanOrEqual(1_000_000);
  });

  it('expire five minutes after they were taken, also when nothing happens', async () => {
    const model = new Model();
    model.write('a', 1);
    model.list();
    await model.clock.advance(200_000);
    model.write('a', 2);
    model.list();
    await model.clock.advance(100_000);
    expect(model.snapshots.size).toBe(1);
    await model.clock.advance(200_000);
    expect([model.snapshots.size, model.clock.pending]).toEqual([0, 0]);
  });
});
