/**
 * Claims the addresses of Services in a store that several servers share. A claim is a key for each cluster IP and node port. It is
 * written in the same revision as the Service, so that of two servers that give out the same address only one commits.
 */

import { type ServiceAddresses, serviceAddresses } from '@listwatch/rules/internal';
import type { AbortOptions, AlongsidePut, Entry, Revision, StorageEngine } from '@listwatch/storage';
import { parseObject } from '../../cache/cached-object.ts';
import type { HeldClaim } from '../../contract/admission.ts';

/** Outside of the registry: the caches do not read claims. */
export const CLAIMS_ROOT = '/claims/services/';

const NO_ADDRESSES: ServiceAddresses = { ips: [], nodePorts: [] };

/** The claims of one server. Other servers and other Services have theirs in the same store. */
export class ServiceClaims {
  /** Writes that another Service's claim refused, by the kind of address. */
  readonly conflicts: { ip: number; port: number } = { ip: 0, port: 0 };
  readonly #engine: StorageEngine;

  constructor(engine: StorageEngine) {
    this.#engine = engine;
  }

  /**
   * The claims that the commit of a Service has to write: those of its new addresses. `onTaken` is told of an address that another
   * Service has, although neither the cache nor a reservation shows it.
   */
  held(
    addresses: ServiceAddresses,
    old: ServiceAddresses = NO_ADDRESSES,
    onTaken: (addresses: ServiceAddresses) => void = () => undefined,
  ): readonly HeldClaim[] {
    // An embedded store has one server: its reservations decide.
    if (!this.#engine.capabilities.alongside) return [];
    const known = new Set(claimKeys(old));
    return claimKeys(addresses)
      .filter((claim) => !known.has(claim))
      .map((key) => ({
        key,
        take: (owner, options) => this.#take(key, owner, options),
        lost: () => {
          const address = addressOf(key);
          this.conflicts[address.ips.length > 0 ? 'ip' : 'port'] += 1;
          onTaken(address);
        },
      }));
  }

  /** Removes the claims of a Service that was deleted. If that fails, the next Service that needs the address takes over the claim. */
  async drop(service: Entry, deletedAt: Revision): Promise<void> {
    if (!this.#engine.capabilities.alongside) return;
    await Promise.all(claimsOf(service).map((claim) => this.#drop(claim, service.key, deletedAt)));
  }

  async #take(claim: string, owner: string, options: AbortOptions): Promise<AlongsidePut | undefined> {
    const { entry } = await this.#engine.get(claim, options);
    if (entry !== undefined && (await this.#isTaken(entry, owner, options))) return undefined;
    return { key: claim, value: Buffer.from(owner), expected: entry?.modRevision ?? 0n };
  }

  /** Does another Service have the address? A Service that was deleted or changed leaves its claims behind. */
  async #isTaken({ key: claim, value }: Entry, owner: string, options: AbortOptions): Promise<boolean> {
    const other = Buffer.from(value).toString();
    if (other === owner) return false;
    const { entry } = await this.#engine.get(other, options);
    return entry !== undefined && claimsOf(entry).includes(claim);
  }

  async #drop(claim: string, owner: string, deletedAt: Revision): Promise<void> {
    try {
      const { entry } = await this.#engine.get(claim);
      if (entry === undefined || Buffer.from(entry.value).toString() !== owner) return;
      // A Service of the same name was created since, and the claim is its own.
      if (entry.modRevision > deletedAt) return;
      await this.#engine.commit({ type: 'delete', key: claim, expected: entry.modRevision });
    } catch {
      // Stale claims are harmless.
    }
  }
}

function claimsOf(service: Entry): readonly string[] {
  try {
    return claimKeys(serviceAddresses(parseObject(service.value)));
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
