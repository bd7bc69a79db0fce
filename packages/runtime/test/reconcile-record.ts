/** The reconciles of one life of a controller, held against what a controller promises. */

import type { ReconcileContext, StoreChange } from '../src/index.ts';
import type { CandidateProcess } from './candidate-process.ts';
import { parts } from './model-cluster.ts';
import { KEYS, linkedThing } from './model-keys.ts';
import { type Thing, things } from './model-object.ts';

/** How a reconcile ended. */
export type RunEnd =
  | { readonly type: 'error' | 'terminal' }
  | { readonly type: 'success'; readonly requeueAfterMs?: number | undefined };

interface KeyHistory {
  /** Places in the order of all events of this life. */
  startedAt: number;
  deliveredAt: number;
  runs: number;
  failures: number;
  running: boolean;
  end: { readonly how: RunEnd; readonly timeMs: number } | undefined;
  /** What the last run saw. */
  seen: string;
  /** How many reconciles had started when this key began to wait for its turn. */
  waitsFrom: number | undefined;
}

/** A reconcile that runs. */
export interface ActiveRun {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly process: CandidateProcess;
  /** May its process lose the lease during the grace of a stop? The reconcile cannot be told then before the grace is over. */
  readonly isLeaving: boolean;
}

const BACKOFF_MS = 5;
const MAX_BACKOFF_MS = 1_000_000;
/** Every eighth key is the one that has waited longest. */
const FAIR_EVERY = 8;

/** Which stamp an object has: no two writes of the model give the same. */
export function stampOf(object: Thing | undefined): string {
  return object === undefined ? '-' : JSON.stringify(object.metadata.managedFields);
}

/** What a reconcile of a key acts on: the thing, and the parts that lead to it. */
export function viewOf(key: string, thing: Thing | undefined, allParts: Iterable<readonly [string, Thing]>): string {
  const linked = Array.from(allParts).filter(([, part]) => linkedThing(part) === key);
  return [stampOf(thing), ...linked.map(([name, part]) => `${name} ${stampOf(part)}`).toSorted()].join('; ');
}

export class ReconcileRecord {
  readonly problems: string[] = [];
  readonly active = new Set<ActiveRun>();
  /** Changes that the informers have told, by resource and object. */
  readonly deliveries = new Map<string, number>();
  phase: 'ended' | 'lost' | 'running' | 'stopping' = 'running';
  starts = 0;
  /** Reads the caches of this life; absent before the first reconcile. */
  store: ReconcileContext['store'] | undefined;
  readonly #process: CandidateProcess;
  readonly #concurrency: number;
  readonly #keys = new Map<string, KeyHistory>();
  #order = 0;

  constructor(process: CandidateProcess, concurrency: number) {
    this.#process = process;
    this.#concurrency = concurrency;
  }

  get keys(): ReadonlyMap<string, Readonly<KeyHistory>> {
    return this.#keys;
  }

  /** As a predicate: notes every change that could lead to a run, and lets all pass. */
  delivered(plural: string, change: StoreChange<Thing>): true {
    const object = `${plural} ${change.key}`;
    this.deliveries.set(object, (this.deliveries.get(object) ?? 0) + 1);
    const states = change.type === 'update' ? [change.object, change.old] : [change.object];
    for (const state of states) {
      const history = this.#of(plural === things.plural ? change.key : linkedThing(state));
      history.deliveredAt = ++this.#order;
      if (!history.running) history.waitsFrom ??= this.starts;
    }
    return true;
  }

  start(key: string, object: Thing | undefined, { signal, store }: ReconcileContext): ActiveRun {
    const history = this.#of(key);
    const isLeaving = (): boolean => this.phase === 'stopping' && this.#process.isTroubled;
    const run: ActiveRun = {
      key,
      signal,
      process: this.#process,
      get isLeaving() {
        return isLeaving();
      },
    };
    this.store = store;
    if (history.running) this.#problem(key, 'ran twice at once');
    if (this.phase !== 'running') this.#problem(key, `started when the controller was ${this.phase}`);
    if (signal.aborted) this.#problem(key, 'started with an aborted signal');
    for (const followed of [things, parts]) {
      if (store(followed).resourceVersion === undefined)
        this.#problem(key, `ran before ${followed.plural} was in sync`);
    }
    if (this.active.size >= this.#concurrency) this.#problem(key, `ran beside ${this.active.size} others`);
    const cause = this.#causeOf(history);
    if (cause === undefined) this.#problem(key, `ran without a cause after ${JSON.stringify(history.end)}`);
    if (cause === 'change') this.#checkTurn(key, history);
    this.active.add(run);
    this.starts += 1;
    history.runs += 1;
    history.running = true;
    history.waitsFrom = undefined;
    history.startedAt = ++this.#order;
    history.seen = viewOf(key, object, entriesOf(store(parts)));
    return run;
  }

  end(run: ActiveRun, how: RunEnd): void {
    const history = this.#of(run.key);
    this.active.delete(run);
    history.running = false;
    history.failures = how.type === 'error' ? history.failures + 1 : 0;
    history.end = { how, timeMs: this.#process.trueTime };
    if (history.deliveredAt > history.startedAt) history.waitsFrom = this.starts;
  }

  /** What a reconcile of the key would see in the caches now. */
  cached(key: string): string | undefined {
    return this.store && viewOf(key, this.store(things).get(key), entriesOf(this.store(parts)));
  }

  /** Call it when `run` has resolved. */
  finish(): void {
    this.phase = 'ended';
    for (const { key } of this.active) this.#problem(key, 'still ran when the controller had ended');
  }

  /** Why a run may start now. */
  #causeOf({ deliveredAt, startedAt, failures, end }: KeyHistory): 'change' | 'delay' | undefined {
    if (deliveredAt > startedAt) return 'change';
    if (end === undefined) return undefined;
    // A clock that was set forward makes delays end early.
    const waited = this.#process.jumpedForward ? Infinity : this.#process.trueTime - end.timeMs;
    if (end.how.type === 'error' && waited >= backoffMs(failures)) return 'delay';
    const { requeueAfterMs } = end.how.type === 'success' ? end.how : {};
    return requeueAfterMs !== undefined && waited >= requeueAfterMs ? 'delay' : undefined;
  }

  #checkTurn(key: string, { waitsFrom }: KeyHistory): void {
    const overtaken = this.starts - (waitsFrom ?? this.starts);
    if (overtaken > FAIR_EVERY * KEYS.length) this.#problem(key, `was overtaken by ${overtaken} reconciles`);
  }

  #problem(key: string, text: string): void {
    this.problems.push(`${key} ${text}`);
  }

  #of(key: string): KeyHistory {
    let history = this.#keys.get(key);
    if (history === undefined) {
      history = {
        startedAt: 0,
        deliveredAt: 0,
        runs: 0,
        failures: 0,
        running: false,
        end: undefined,
        seen: stampOf(undefined),
        waitsFrom: undefined,
      };
      this.#keys.set(key, history);
    }
    return history;
  }
}

/** The wait after so many failures in a row. */
function backoffMs(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - 1));
}

function* entriesOf(store: ReturnType<ReconcileContext['store']>): Iterable<readonly [string, Thing]> {
  for (const key of store.keys()) {
    const part = store.get(key);
    if (part !== undefined) yield [key, part];
  }
}
