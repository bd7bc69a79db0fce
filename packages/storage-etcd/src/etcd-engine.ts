/** The etcd engine: the contract on a real cluster. Start at {@link createEtcdEngine}. */

import { abortable } from '@listwatch/api/internal';
import type {
  AbortOptions,
  Change,
  CommitGuard,
  CommitResult,
  DeleteChange,
  GetResult,
  PutChange,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
  StorageCapabilities,
  StorageEngine,
  StorageReport,
  StorageWatch,
  WatchOptions,
} from '@listwatch/storage';
import { StorageError } from '@listwatch/storage';
import {
  checkAt,
  checkChange,
  checkKey,
  checkPrefix,
  checkRange,
  closedError,
  refusal,
} from '@listwatch/storage/internal';
import { COMPACTION_KEY, type CompactionTurn, Compactor } from './compactor.ts';
import { EtcdClient } from './etcd-client.ts';
import { isAnswer } from './etcd-error.ts';
import { type EtcdConfig, type EtcdEngineOptions, resolveEtcdOptions } from './etcd-options.ts';
import { EtcdWatch } from './etcd-watch.ts';
import { KeySpace } from './key-space.ts';
import {
  decodeDelete,
  decodeHeaderRevision,
  decodeRange,
  decodeTxn,
  encodeCompaction,
  encodeDelete,
  encodeDeleteIf,
  encodePut,
  encodePutIfVersion,
  encodePutsIf,
  encodeRange,
  KV_COMPACT,
  KV_DELETE,
  KV_PUT,
  KV_RANGE,
  KV_TXN,
  type RevisionCondition,
  toInt64,
} from './kv-messages.ts';
import { decodeLeaseGrant, encodeLeaseGrant, LEASE_GRANT } from './lease-messages.ts';
import { LeasePool } from './lease-pool.ts';
import { readRange } from './range-reader.ts';
import { RevisionReader } from './revision-reader.ts';

/** A storage engine on an etcd cluster. */
export interface EtcdEngine extends StorageEngine {
  /** The member that is used now. Changes when it fails and another one takes over. */
  readonly endpoint: string;
}

/**
 * A storage engine on an etcd v3 cluster (3.4, 3.5, 3.6). Connects when it is first used, and goes on to another member
 * when one fails. Throws a `TypeError` or `RangeError` for options that make no sense.
 *
 * @example
 * const engine = createEtcdEngine({ endpoints: ['http://127.0.0.1:2379'], root: '/registry' });
 */
export function createEtcdEngine(options: EtcdEngineOptions): EtcdEngine {
  return new ClusterEngine(resolveEtcdOptions(options));
}

const NO_END: Buffer = Buffer.alloc(0);

class ClusterEngine implements EtcdEngine {
  readonly capabilities: StorageCapabilities;
  readonly #config: EtcdConfig;
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #revisions: RevisionReader;
  readonly #leases: LeasePool;
  readonly #compactor: Compactor | undefined;
  readonly #watches = new Set<EtcdWatch>();

  constructor(config: EtcdConfig) {
    const { clock, leaseMaxKeys } = config;
    this.capabilities = Object.freeze({
      durable: true,
      shared: true,
      progressRequests: config.progressRequests,
      expiryRevisions: leaseMaxKeys === 1 ? 'own' : 'shared',
      historyBytes: false,
      alongside: true,
    });
    this.#config = config;
    this.#client = new EtcdClient(config);
    this.#keys = new KeySpace(config.root);
    this.#revisions = new RevisionReader(this.#client, this.#keys, clock);
    this.#leases = new LeasePool({ clock, maxKeys: leaseMaxKeys, grant: (ttlSeconds) => this.#grant(ttlSeconds) });
    if (config.compaction === 'coordinated') {
      this.#compactor = new Compactor({
        clock,
        // A turn is a write, so an age of 0 must not become a loop.
        intervalMs: Math.max(1000, config.historyAgeMs),
        takeTurn: (version, revision) => this.#takeTurn(version, revision),
        compact: async (revision) => {
          await this.#client.call(KV_COMPACT, encodeCompaction(revision), { write: true });
        },
      });
    }
  }

  get endpoint(): string {
    return this.#client.endpoint;
  }

  async revision(options: AbortOptions = {}): Promise<Revision> {
    return BigInt(await this.#revisions.current(options));
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    checkKey(key);
    checkAt(options.at);
    const { at, signal } = options;
    const request = encodeRange({ key: this.#keys.encode(key), rangeEnd: NO_END, limit: 0, revision: toInt64(at) });
    for (;;) {
      try {
        const message = await this.#client.call(KV_RANGE, request, { write: false, signal });
        const { entries, revision } = decodeRange(message, this.#keys.rootBytes);
        this.#revisions.saw(revision);
        return { entry: entries[0], revision: at ?? BigInt(revision) };
      } catch (error) {
        if (at === undefined) throw error;
        await this.#revisions.explain(error, at, options);
      }
    }
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    checkRange(prefix, options);
    const result = await readRange(this.#client, this.#keys, this.#revisions, prefix, options);
    this.#revisions.saw(Number(result.revision));
    return result;
  }

  async commit(change: Change, options: AbortOptions = {}): Promise<CommitResult> {
    checkChange(change, this.capabilities.alongside);
    const result = await this.#commit(change, options);
    this.#revisions.saw(Number(result.revision));
    return result;
  }

  async #commit(change: Change, options: AbortOptions): Promise<CommitResult> {
    if (change.type === 'delete') return this.#delete(change, options);
    if (change.ttlSeconds === undefined) return this.#put(change, 0n, options);
    return this.#putExpiring(change, change.ttlSeconds, options);
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    checkPrefix(prefix);
    const { after, signal } = options;
    if (typeof after !== 'bigint' || after < 0n) throw new RangeError(`after must be a revision, got ${String(after)}`);
    return new EtcdWatch({
      client: this.#client,
      clock: this.#config.clock,
      waitClock: this.#config.waitClock,
      range: this.#keys.range(prefix),
      rootBytes: this.#keys.rootBytes,
      after: Number(after < Number.MAX_SAFE_INTEGER ? after : Number.MAX_SAFE_INTEGER),
      signal,
      createTimeoutMs: this.#config.requestTimeoutMs,
      revisions: this.#revisions,
      progressRequests: this.#config.progressRequests,
      running: this.#watches,
    });
  }

  /** etcd does not tell when a revision was made, nor which is the oldest. */
  report(): StorageReport {
    const history = { historyAgeMs: this.#config.historyAgeMs, historyBytes: undefined };
    return { name: 'etcd', oldest: undefined, ...history, diskBytes: undefined, times: [] };
  }

  async compact(revision: Revision, options: AbortOptions = {}): Promise<void> {
    checkAt(revision);
    const request = encodeCompaction(toInt64(revision));
    for (;;) {
      try {
        await this.#client.call(KV_COMPACT, request, { write: true, signal: options.signal });
        return;
      } catch (error) {
        await this.#revisions.explain(error, revision, options);
      }
    }
  }

  async close(): Promise<void> {
    this.#compactor?.stop();
    const closing = this.#client.close();
    for (const watch of this.#watches) watch.close();
    await closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #put(change: PutChange, lease: bigint, { signal }: AbortOptions): Promise<CommitResult> {
    const request = { key: this.#keys.encode(change.key), value: change.value, lease };
    const { expected, guards = [], alongside = [] } = change;
    if (expected === undefined && guards.length === 0) {
      const message = await this.#client.call(KV_PUT, encodePut(request), { write: true, signal });
      return { committed: true, revision: BigInt(decodeHeaderRevision(message)) };
    }
    const puts = alongside.map(({ key, value }) => ({ key: this.#keys.encode(key), value, lease: 0n }));
    const own = expected === undefined ? undefined : toInt64(expected);
    const others = this.#conditions(otherKeys(change));
    return this.#transact(change, encodePutsIf([request, ...puts], { own, others }), signal);
  }

  async #putExpiring(change: PutChange, ttlSeconds: number, options: AbortOptions): Promise<CommitResult> {
    for (;;) {
      if (this.#client.closed) throw closedError();
      const lease = await abortable(this.#leases.lease(ttlSeconds), options.signal);
      try {
        return await this.#put(change, lease, options);
      } catch (error) {
        // It ran out between being chosen and being used. Nothing was written.
        if (!isAnswer(error, 'leaseNotFound')) throw error;
        this.#leases.forget(lease);
      }
    }
  }

  async #delete(change: DeleteChange, { signal }: AbortOptions): Promise<CommitResult> {
    const { key, expected, guards = [] } = change;
    const encoded = this.#keys.encode(key);
    if (expected !== undefined || guards.length > 0) {
      const own = expected === undefined ? 'exists' : toInt64(expected);
      return this.#transact(change, encodeDeleteIf(encoded, { own, others: this.#conditions(guards) }), signal);
    }
    const message = await this.#client.call(KV_DELETE, encodeDelete(encoded), { write: true, signal });
    const { deleted, revision } = decodeDelete(message);
    if (deleted > 0) return { committed: true, revision: BigInt(revision) };
    return { committed: false, reason: 'KEY_NOT_FOUND', current: undefined, revision: BigInt(revision) };
  }

  #conditions(guards: readonly CommitGuard[]): readonly RevisionCondition[] {
    return guards.map(({ key, revision }) => ({ key: this.#keys.encode(key), revision: toInt64(revision) }));
  }

  async #transact(change: Change, request: Buffer, signal: AbortSignal | undefined): Promise<CommitResult> {
    const message = await this.#client.call(KV_TXN, request, { write: true, signal });
    const { succeeded, found, revision } = decodeTxn(message, this.#keys.rootBytes);
    if (succeeded) return { committed: true, revision: BigInt(revision) };
    const [current, ...others] = found;
    const standings = new Map(otherKeys(change).map(({ key }, index) => [key, others[index]?.modRevision]));
    const refused = refusal(change, Number(current?.modRevision ?? 0n), (key) => Number(standings.get(key) ?? 0n));
    if (refused !== undefined) return { committed: false, ...refused, current, revision: BigInt(revision) };
    throw new StorageError('CORRUPT', 'etcd refused a change for no reason', { key: change.key });
  }

  async #grant(ttlSeconds: number): Promise<bigint> {
    // A lease too many does no harm and runs out by itself, so the call may be repeated like a read.
    return decodeLeaseGrant(await this.#client.call(LEASE_GRANT, encodeLeaseGrant(ttlSeconds), { write: false }));
  }

  async #takeTurn(version: number, revision: number): Promise<CompactionTurn> {
    const request = { key: Buffer.from(COMPACTION_KEY), value: Buffer.from(String(revision)), lease: 0n };
    const message = await this.#client.call(KV_TXN, encodePutIfVersion(request, version), { write: true });
    const turn = decodeTxn(message, 0);
    return { won: turn.succeeded, version: turn.succeeded ? version + 1 : turn.version, revision: turn.revision };
  }
}

/** The other keys that a change depends on, in the order in which the transaction names them. */
function otherKeys(change: Change): readonly CommitGuard[] {
  const { guards = [] } = change;
  if (change.type === 'delete' || change.alongside === undefined) return guards;
  return [...guards, ...change.alongside.map(({ key, expected }) => ({ key, revision: expected }))];
}
