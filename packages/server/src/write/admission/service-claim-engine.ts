/**
 * Claims the addresses of Services in a store that several servers share. A claim is a key for each cluster IP and node port. It is
 * written in the same revision as the Service, so that of two servers that give out the same address only one commits.
 */

import { type ServiceAddresses, serviceAddresses } from '@listwatch/rules/internal';
import type {
  AbortOptions,
  AlongsidePut,
  Change,
  CommitResult,
  DeleteChange,
  Entry,
  PutChange,
  Revision,
  StorageEngine,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { parseObject } from '../../cache/cached-object.ts';

/** Outside of the registry: the caches do not read claims. */
export const CLAIMS_ROOT = '/claims/services/';

/** Passes everything on unchanged, but for writes of Services. */
export class ServiceClaimEngine extends ForwardingEngine {
  /** Told of an address that another Service has, although neither the cache nor a reservation shows it. Default: nobody. */
  onClaimed: ((addresses: ServiceAddresses) => void) | undefined;
  /** Writes that another Service's claim refused, by what it had. */
  readonly conflicts: { ip: number; port: number } = { ip: 0, port: 0 };
  readonly #services: string;

  /** `services` is the folder of the keys of Services. */
  constructor(engine: StorageEngine, services: string) {
    super(engine);
    this.#services = services;
  }

  override commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    if (!change.key.startsWith(this.#services)) return this.engine.commit(change, options);
    return change.type === 'put' ? this.#put(change, options) : this.#delete(change, options);
  }

  async #put(change: PutChange, options?: AbortOptions): Promise<CommitResult> {
    const { key, expected } = change;
    const claims = claimKeys(serviceAddresses(parseObject(change.value)));
    // A Service without addresses, and a write that compares nothing: no verb makes the second.
    if (claims.length === 0 || expected === undefined) return this.engine.commit(change, options);
    const current = expected === 0n ? undefined : (await this.engine.get(key, options)).entry;
    // The commit will be refused; what it would claim does not matter.
    if ((current?.modRevision ?? 0n) !== expected) return this.engine.commit(change, options);
    const held = new Set(claimsOf(current));
    const alongside: AlongsidePut[] = [];
    for (const claim of claims.filter((one) => !held.has(one))) {
      const { entry, revision } = await this.engine.get(claim, options);
      if (entry !== undefined && (await this.#isHeld(entry, key, options)))
        return this.#refuse(entry, current, revision);
      alongside.push({ key: claim, value: Buffer.from(key), expected: entry?.modRevision ?? 0n });
    }
    if (alongside.length === 0) return this.engine.commit(change, options);
    const result = await this.engine.commit({ ...change, alongside }, options);
    if (!result.committed && result.blockedBy?.type === 'alongside') this.#conflict(result.blockedBy.key);
    return result;
  }

  /** Does the owner of a claim still have the address? A Service that was deleted or changed leaves its claims behind. */
  async #isHeld({ key: claim, value }: Entry, key: string, options?: AbortOptions): Promise<boolean> {
    const owner = Buffer.from(value).toString();
    if (owner === key) return false;
    return claimsOf((await this.engine.get(owner, options)).entry).includes(claim);
  }

  #refuse({ key, modRevision }: Entry, current: Entry | undefined, revision: Revision): CommitResult {
    this.#conflict(key);
    const blockedBy = { type: 'alongside', key, revision: modRevision } as const;
    return { committed: false, reason: 'BLOCKED', current, revision, blockedBy };
  }

  #conflict(claim: string): void {
    const addresses = addressOf(claim);
    this.conflicts[addresses.ips.length > 0 ? 'ip' : 'port'] += 1;
    this.onClaimed?.(addresses);
  }

  /** Removes the claims afterwards. Those that stay because that fails are taken over by the next Service that wants them. */
  async #delete(change: DeleteChange, options?: AbortOptions): Promise<CommitResult> {
    const { entry } = await this.engine.get(change.key, options);
    const result = await this.engine.commit(change, options);
    if (!result.committed) return result;
    await Promise.all(claimsOf(entry).map((claim) => this.#drop(claim, change.key, result.revision)));
    return result;
  }

  async #drop(claim: string, key: string, deletedAt: Revision): Promise<void> {
    try {
      const { entry } = await this.engine.get(claim);
      if (entry === undefined || Buffer.from(entry.value).toString() !== key) return;
      // A Service of the same name was created since, and the claim is its own.
      if (entry.modRevision > deletedAt) return;
      await this.engine.commit({ type: 'delete', key: claim, expected: entry.modRevision });
    } catch {
      // It is left behind.
    }
  }
}

function claimsOf(entry: Entry | undefined): readonly string[] {
  if (entry === undefined) return [];
  try {
    return claimKeys(serviceAddresses(parseObject(entry.value)));
  } catch {
    // A value that cannot be decoded holds no address.
    return [];
  }
}

function claimKeys({ ips, nodePorts }: ServiceAddresses): readonly string[] {
  const keys = [...ips.map((ip) => `ip/${ip}`), ...nodePorts.map((port) => `port/${port}`)];
  // TCP and UDP of one Service may share a node port.
  return [...new Set(keys)].map((key) => CLAIMS_ROOT + key);
}

function addressOf(claim: string): ServiceAddresses {
  const [type, address = ''] = claim.slice(CLAIMS_ROOT.length).split('/');
  return type === 'ip' ? { ips: [address], nodePorts: [] } : { ips: [], nodePorts: [Number(address)] };
}
