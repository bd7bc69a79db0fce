/** A writer that records when each operation was called, when it returned, and what came of it. */

import { isAlreadyExists, isConflict, isNotFound, isTooManyRequests } from '@listwatch/api';
import { type Cluster, isTransportError } from '@listwatch/client';
import type { SeededRandom } from '../server/seeded-random.ts';
import { APPS, type LoadWorld, TIERS } from '../server/watched-selection.ts';
import type { Operation } from './linearizability.ts';
import type { ObjectInput, ObjectOutput } from './object-register.ts';
import { type TokenMap, tokenMaps } from './recorded-watcher.ts';

/** An operation on an object, with the revision that the server says it has. */
export interface RecordedOperation extends Operation<ObjectInput, ObjectOutput> {
  /** `namespace/name`. */
  readonly key: string;
  /** Of a write that was acknowledged. */
  readonly revision: bigint | undefined;
}

/** Shared by the writers of a run. */
export interface WriterOptions {
  readonly world: LoadWorld;
  readonly operations: RecordedOperation[];
  /** Told of every acknowledged write. */
  readonly onWritten: () => void;
  /** Between two operations of a writer. */
  readonly pauseMs: number;
}

/** Writes objects that other writers write, too, until it is stopped. */
export class RecordedWriter {
  readonly #name: string;
  readonly #cluster: Cluster;
  readonly #random: SeededRandom;
  readonly #options: WriterOptions;
  /** The objects as this writer last saw them; undefined: there was none. */
  readonly #known = new Map<string, TokenMap | undefined>();
  #count = 0;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(name: string, cluster: Cluster, random: SeededRandom, options: WriterOptions) {
    this.#name = name;
    this.#cluster = cluster;
    this.#random = random;
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#operate();
      await new Promise((resolve) => {
        setTimeout(resolve, this.#options.pauseMs * (0.5 + Math.random()));
      });
    }
  }

  async #operate(): Promise<void> {
    const { world } = this.#options;
    const random = this.#random;
    const target = { namespace: random.pick(world.namespaces), name: random.pick(world.names) };
    const key = `${target.namespace}/${target.name}`;
    const known = this.#known.get(key);
    const dice = random.next();
    this.#count += 1;
    const token = `${this.#name}-${this.#count}`;
    if (dice < 0.25 || (!this.#known.has(key) && dice < 0.8)) return this.#get(key, target);
    if (dice < 0.35) return this.#delete(key, target);
    return known === undefined ? this.#create(key, target, token) : this.#update(key, known, token);
  }

  #get(key: string, target: { readonly namespace: string; readonly name: string }): Promise<void> {
    return this.#record(key, { type: 'get' }, async () => {
      const object = await this.#cluster.get(tokenMaps, target);
      this.#known.set(key, object);
      return { output: { type: 'value', token: object.data?.['token'] ?? '' } };
    });
  }

  #create(
    key: string,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    token: string,
  ): Promise<void> {
    return this.#record(key, { type: 'create', token }, async () => {
      const metadata = { namespace, name, labels: this.#labels() };
      return this.#written(key, await this.#cluster.create(tokenMaps, { metadata, data: { token } }));
    });
  }

  #update(key: string, known: TokenMap, token: string): Promise<void> {
    const expected = known.data?.['token'] ?? '';
    return this.#record(key, { type: 'update', token, expected }, async () => {
      const metadata = { ...known.metadata, labels: this.#labels() };
      return this.#written(key, await this.#cluster.update(tokenMaps, { ...known, metadata, data: { token } }));
    });
  }

  #delete(key: string, target: { readonly namespace: string; readonly name: string }): Promise<void> {
    return this.#record(key, { type: 'delete' }, async () => {
      await this.#cluster.delete(tokenMaps, target);
      this.#known.set(key, undefined);
      return { output: { type: 'done' } };
    });
  }

  #written(key: string, object: TokenMap): { readonly output: ObjectOutput; readonly revision: bigint } {
    this.#known.set(key, object);
    return { output: { type: 'done' }, revision: BigInt(object.metadata.resourceVersion ?? 0) };
  }

  async #record(
    key: string,
    input: ObjectInput,
    work: () => Promise<{ readonly output: ObjectOutput; readonly revision?: bigint }>,
  ): Promise<void> {
    const { operations } = this.#options;
    const calledAt = performance.now();
    try {
      const { output, revision } = await work();
      operations.push({ key, input, output, revision, calledAt, returnedAt: performance.now() });
      if (revision !== undefined) this.#options.onWritten();
    } catch (error) {
      const output = refusalOf(error);
      if (output !== undefined) {
        if (output.type === 'missing') this.#known.set(key, undefined);
        else this.#known.delete(key);
        operations.push({ key, input, output, revision: undefined, calledAt, returnedAt: performance.now() });
      } else if (input.type !== 'get' && !isUndone(error)) {
        this.#known.delete(key);
        const returnedAt = Number.POSITIVE_INFINITY;
        operations.push({ key, input, output: undefined, revision: undefined, calledAt, returnedAt });
      }
    }
  }

  #labels(): Readonly<Record<string, string>> {
    const app = this.#random.chance(0.7) ? { app: this.#random.pick(APPS) } : {};
    return { ...app, tier: String(this.#random.below(TIERS)) };
  }
}

function refusalOf(error: unknown): ObjectOutput | undefined {
  if (isNotFound(error)) return { type: 'missing' };
  return isConflict(error) || isAlreadyExists(error) ? { type: 'conflict' } : undefined;
}

/** Nothing was done: it was not sent, or the server was too busy to look at it. */
function isUndone(error: unknown): boolean {
  return isTransportError(error, 'CONNECT') || isTooManyRequests(error);
}
