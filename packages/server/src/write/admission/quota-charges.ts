/** Charges writes to the quotas of their namespace: the usage is raised in the store before the object is written. */

import { conflict } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import {
  type AdmissionRequest,
  chargeQuotas,
  type KubeObject,
  type ObjectReader,
  QuotaState,
  withManagedFields,
} from '@listwatch/rules/internal';
import type { CountedKind, UsageRule } from '@listwatch/rules/usage';
import type { Revision, StorageEngine } from '@listwatch/storage';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { storedObjectKey } from '../../stored/requested-key.ts';
import { storedObject, writtenObject } from '../../stored/stored-object.ts';
import type { WrittenObjects } from '../../stored/written-objects.ts';
import type { OwnersOf } from '../owners/field-owners.ts';

/** The parts that charging needs. */
export interface QuotaChargesOptions {
  readonly engine: StorageEngine;
  /** The kind of the quotas. */
  readonly definition: ResourceDefinition;
  /** Computes the field owners of the written usage. */
  readonly owners: OwnersOf;
  /** The quotas as the cache knows them. */
  readonly quotas: Pick<ObjectReader, 'list'>;
  readonly ruleOf: (kind: CountedKind) => UsageRule | undefined;
  readonly written?: WrittenObjects | undefined;
}

interface Waiting {
  readonly request: AdmissionRequest;
  readonly rule: UsageRule;
  readonly settle: (error?: unknown) => void;
}

/** Writes that are charged by one commit of a quota. */
const BATCH = 100;
/** Each attempt starts from the newest committed state, so only many concurrent servers need several attempts. */
const ATTEMPTS = 20;
/** The maximum of quotas to remember with a newer state than the cache has. */
const NEWEST_MAX = 1000;

/**
 * Runs one commit at a time for each namespace, and batches the writes that arrive meanwhile. Each commit requires the
 * revision that was checked, so that several servers on one store never exceed a quota together.
 */
export class QuotaCharges {
  readonly #options: QuotaChargesOptions;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #states = new WeakMap<KubeObject, QuotaState>();
  readonly #newest = new Map<string, { readonly revision: Revision; readonly state: QuotaState }>();

  constructor(options: QuotaChargesOptions) {
    this.#options = options;
  }

  /** Writes that wait for a quota. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Does a quota limit the namespace? */
  hasQuotas(namespace: string): boolean {
    return this.#options.quotas.list(namespace).length > 0;
  }

  /**
   * Settles when the write may be committed. Rejects with the 403. An attempt of the same write that was charged for the same
   * usage is not charged again.
   */
  async charge(request: AdmissionRequest, charged?: AdmissionRequest): Promise<void> {
    const rule = this.#options.ruleOf(request.resource);
    const { namespace = '' } = request.object.metadata;
    if (rule === undefined || !rule.counts(request) || !this.hasQuotas(namespace)) return;
    if (charged !== undefined && usesTheSame(rule, request, charged)) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      const entry: Waiting = { request, rule, settle };
      const queue = this.#waiting.get(namespace);
      if (queue !== undefined) queue.push(entry);
      else {
        const first = [entry];
        this.#waiting.set(namespace, first);
        void this.#work(namespace, first);
      }
    });
  }

  async #work(namespace: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      try {
        await this.#chargeAll(this.#current(namespace), batch);
      } catch (error) {
        for (const { settle } of batch) settle(error);
      }
    }
    this.#waiting.delete(namespace);
  }

  /** Settles every write of the batch. Throws an error for all writes that are not settled yet. */
  async #chargeAll(quotas: readonly QuotaState[], batch: readonly Waiting[]): Promise<void> {
    let states = quotas;
    let open = batch;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { changed, left } = chargeBatch(states, open);
      const outdated: QuotaState[] = [];
      for (const state of changed) {
        const newer = await this.#commit(state);
        if (newer !== undefined) outdated.push(newer);
      }
      if (outdated.length === 0) {
        for (const { settle } of left) settle();
        return;
      }
      // The other quotas have been charged: retry with the outdated ones only.
      states = outdated;
      open = left;
    }
    throw conflict(this.#options.definition.resource, states[0]?.name ?? '');
  }

  /** Writes the usage. Gives the newer state when the quota has changed; a quota that is gone limits nothing any more. */
  async #commit(state: QuotaState): Promise<QuotaState | undefined> {
    const { engine, definition, owners, written } = this.#options;
    const { namespace = '', name = '', resourceVersion = '0' } = state.object.metadata;
    const key = storedObjectKey(definition, { namespace, name });
    await definition.load();
    const next = definition.strategy.canonical(withManagedFields(withUsage(state), undefined));
    const object = withManagedFields(next, owners({ old: state.object, next, sent: undefined }));
    const made = writtenObject(definition, object);
    written?.add(key, made);
    const expected = BigInt(resourceVersion);
    const result = await engine.commit({ type: 'put', key, value: made.value, expected });
    if (result.committed) {
      const { revision } = result;
      const metadata = { ...object.metadata, resourceVersion: String(revision) };
      this.#remember(key, revision, new QuotaState({ ...object, metadata }, state, state.used));
      return undefined;
    }
    this.#newest.delete(key);
    return result.current && new QuotaState(storedObject(definition, result.current));
  }

  #remember(key: string, revision: Revision, state: QuotaState): void {
    this.#newest.delete(key);
    this.#newest.set(key, { revision, state });
    const [oldest] = this.#newest.keys();
    if (this.#newest.size > NEWEST_MAX && oldest !== undefined) this.#newest.delete(oldest);
  }

  /** The quotas of a namespace from the cache, or in the newer state that this server has written. */
  #current(namespace: string): readonly QuotaState[] {
    const { quotas, definition } = this.#options;
    return quotas.list(namespace).map((object) => {
      const { name = '', resourceVersion = '0' } = object.metadata;
      const key = storedObjectKey(definition, { namespace, name });
      const newest = this.#newest.get(key);
      if (newest !== undefined && newest.revision > BigInt(resourceVersion)) return newest.state;
      this.#newest.delete(key);
      const known = this.#states.get(object) ?? new QuotaState(object);
      this.#states.set(object, known);
      return known;
    });
  }
}

interface ChargedBatch {
  readonly changed: readonly QuotaState[];
  /** The writes that wait for the commit. */
  readonly left: readonly Waiting[];
}

/** Charges the writes one by one. Settles refused writes, and writes that change no usage. */
function chargeBatch(quotas: readonly QuotaState[], batch: readonly Waiting[]): ChargedBatch {
  let states = quotas;
  const left: Waiting[] = [];
  for (const waiting of batch) {
    try {
      // Skip requests whose client disconnected.
      waiting.request.throwIfAborted();
      const after = chargeQuotas(states, waiting.request, waiting.rule);
      const isCharged = !waiting.request.dryRun && after.some((state, index) => state !== states[index]);
      if (isCharged) {
        states = after;
        left.push(waiting);
      } else waiting.settle();
    } catch (error) {
      waiting.settle(error);
    }
  }
  return { changed: states.filter((state, index) => state !== quotas[index]), left };
}

function withUsage({ object, used }: QuotaState): KubeObject {
  const texts = Object.fromEntries([...used].map(([name, amount]) => [name, String(amount)]));
  return { ...object, status: { ...recordOf(object['status']), used: texts } };
}

function usesTheSame(rule: UsageRule, request: AdmissionRequest, charged: AdmissionRequest): boolean {
  const textOf = ({ object, old }: AdmissionRequest): string =>
    [object, old].map((one) => (one === undefined ? '' : usageText(rule, one))).join('/');
  return textOf(request) === textOf(charged);
}

function usageText(rule: UsageRule, object: KubeObject): string {
  return [...rule.usage(object)].map(([name, amount]) => `${name}=${String(amount)}`).join();
}
