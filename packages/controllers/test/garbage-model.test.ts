import type { ApiObject, OwnerReference, Resource } from '@listwatch/api';
import { isNotFound } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { amount } from '@listwatch/conformance/parts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { configMaps, GarbageServer, nodes, type Running, refer, secrets } from './garbage-fixture.ts';
import { OwnerModel } from './owner-model.ts';

const KINDS = { configMaps, secrets, nodes };

interface ModelObject {
  readonly kind: keyof typeof KINDS;
  readonly owners: readonly { readonly target: number; readonly blocks: boolean }[];
}

interface Deletion {
  readonly target: number;
  readonly policy: 'Background' | 'Foreground' | 'Orphan';
  /** Wait until nothing happens any more before the next? */
  readonly settles: boolean;
  /** Kill the collector after this many turns, and start another. */
  readonly restartAfter: number | undefined;
}

interface Scenario {
  readonly objects: readonly ModelObject[];
  readonly deletions: readonly Deletion[];
  readonly startsEarly: boolean;
}

const reference = fc.record({ target: fc.nat(13), blocks: fc.boolean() });
const object = fc.record<ModelObject>({
  kind: fc.constantFrom('configMaps', 'secrets', 'nodes'),
  owners: fc.uniqueArray(reference, { maxLength: 3, selector: ({ target }) => target }),
});
const deletion = fc.record<Deletion>({
  target: fc.nat(11),
  policy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
  settles: fc.boolean(),
  restartAfter: fc.option(fc.nat(12), { nil: undefined }),
});
const scenario = fc.record<Scenario>({
  objects: fc.array(object, { minLength: 2, maxLength: 12, size: 'max' }),
  deletions: fc.array(deletion, { minLength: 1, maxLength: 5, size: 'max' }),
  startsEarly: fc.boolean(),
});

/** One scenario on a real server whose time stands still. */
class Play implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly env: GarbageServer;
  readonly model = new OwnerModel();
  #running: Running | undefined;

  private constructor(clock: FakeClock, env: GarbageServer) {
    this.clock = clock;
    this.env = env;
  }

  static async start(): Promise<Play> {
    const clock = new FakeClock();
    return new Play(clock, await GarbageServer.start({ clock }));
  }

  startCollector(): void {
    this.#running ??= this.env.collect();
  }

  async restart(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
    this.startCollector();
  }

  /** Creates the objects; those without a counterpart refer to an owner that never was. */
  async create(objects: readonly ModelObject[]): Promise<void> {
    const made: ApiObject[] = [];
    for (const [at, { kind }] of objects.entries()) made.push(await this.env.add(KINDS[kind], `o${at}`));
    for (const [at, { kind, owners }] of objects.entries()) {
      // An object of the cluster cannot have an owner in a namespace.
      const possible = owners.filter(
        ({ target }) => kind !== 'nodes' || (objects[target]?.kind ?? 'nodes') === 'nodes',
      );
      this.model.add(
        `o${at}`,
        possible.map(({ target }) => (target < objects.length ? `o${target}` : 'absent')),
      );
      const ownerReferences = possible.map(({ target, blocks }): OwnerReference => {
        const [owner, ownerKind] = [made[target], objects[target]?.kind];
        const more = { blockOwnerDeletion: blocks };
        if (owner === undefined || ownerKind === undefined) {
          return { apiVersion: 'v1', kind: 'Node', name: 'absent', uid: `absent-${target}`, ...more };
        }
        return refer(KINDS[ownerKind], owner, more);
      });
      const patch = { type: 'merge', body: { metadata: { ownerReferences } } } as const;
      await this.#unlessGone(this.env.cluster.patch(KINDS[kind], { name: `o${at}` }, patch));
    }
    this.model.collect();
  }

  async delete(kind: Resource, name: string, policy: Deletion['policy']): Promise<void> {
    await this.#unlessGone(this.env.delete(kind, name, { propagationPolicy: policy }));
    if (policy === 'Orphan') this.model.orphan(name);
    else this.model.delete(name);
  }

  /** Lets everything happen that happens without a change from outside. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await this.clock.advance(0);
      const { attemptToDelete: a, attemptToOrphan: b, isSynced } = this.#running?.collector.metrics ?? {};
      const busy = [a, b].reduce((sum, one) => sum + (one?.depth ?? 0) + (one?.processing ?? 0), 0);
      if (busy > 0 || isSynced === false) quiet = -1;
      else if ((a?.delayed ?? 0) + (b?.delayed ?? 0) > 0) {
        await this.clock.advance(10_000);
        quiet = -1;
      }
    }
  }

  async found(): Promise<Readonly<Record<string, readonly string[]>>> {
    const lists = await Promise.all(Object.values(KINDS).map((kind) => this.env.cluster.list(kind)));
    const items = lists.flatMap((list) => list.items).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    return Object.fromEntries(
      items.map(({ metadata: { name, ownerReferences = [] } }) => [
        name,
        [...new Set(ownerReferences.map((one) => one.name))].toSorted(),
      ]),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.env[Symbol.asyncDispose]();
  }

  async #unlessGone(request: Promise<unknown>): Promise<void> {
    await request.catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function play({ objects, deletions, startsEarly }: Scenario): Promise<void> {
  await using game = await Play.start();
  // Objects that own each other are made one by one: a collector must not see the first of them alone.
  if (startsEarly && objects.every(({ owners }) => owners.every(({ target }) => target < objects.length))) {
    game.startCollector();
  }
  await game.create(objects);
  game.startCollector();
  for (const { target, policy, settles, restartAfter } of deletions) {
    const at = target % objects.length;
    // What an orphan deletion leaves depends on what else is going on.
    if (policy === 'Orphan') await game.settle();
    await game.delete(KINDS[objects[at]?.kind ?? 'nodes'], `o${at}`, policy);
    if (restartAfter !== undefined) {
      for (let turn = 0; turn < restartAfter; turn += 1) await turnOfTheLoop();
      await game.restart();
    }
    if (settles || policy === 'Orphan') await game.settle();
  }
  await game.settle();
  expect(await game.found()).toEqual(game.model.objects);
  // A collector that starts now finds nothing more to do.
  await game.restart();
  await game.settle();
  expect(await game.found()).toEqual(game.model.objects);
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

it('exactly the objects that should exist are left, whatever is deleted how, and when the collector is killed', async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns: amount(50, 150) });
}, 120_000);
