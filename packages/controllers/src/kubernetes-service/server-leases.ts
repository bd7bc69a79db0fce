/** Which servers are alive: each renews a Lease of its own, and looks at those of the others. */

import { type Clock, isAlreadyExists, isConflict, isNotFound, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Cluster } from '@listwatch/client';
import { type Lease, type Logger, leases } from '@listwatch/runtime';
import type { ServerAddress } from './service-addresses.ts';

/** The Leases of servers have this label; the value tells them from those of kube-apiserver. */
export const IDENTITY_LABEL = 'apiserver.kubernetes.io/identity';
export const IDENTITY = 'listwatch';

/** `ip port` of the server. */
const ADDRESS_ANNOTATION = 'listwatch.dev/advertised-address';

export const LEASE_NAMESPACE = 'kube-system';

/** How often a server renews, and when the others take it for dead: as kube-apiserver's own reconciler. */
const RENEW_MS = 10_000;
const DURATION_MS = 15_000;

interface Seen {
  readonly version: string | undefined;
  readonly at: number;
}

/** Judges Leases by when this process saw them change: the times in them are of other machines' clocks. */
export class LeaseAges {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The Leases that were renewed in time, those that were not, and when the next one may expire. */
  judge(all: readonly Lease[]): {
    readonly live: readonly Lease[];
    readonly dead: readonly Lease[];
    readonly nextMs: number | undefined;
  } {
    const now = monotonicMs(this.#clock);
    const names = new Set(all.map(({ metadata }) => metadata.name));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    const ages = all.map((lease) => ({ lease, age: now - this.#changedAt(lease, now) }));
    const live = ages.filter(({ age }) => age < DURATION_MS);
    return {
      live: live.map(({ lease }) => lease),
      dead: ages.filter(({ age }) => age >= DURATION_MS).map(({ lease }) => lease),
      nextMs: live.length === 0 ? undefined : Math.min(...live.map(({ age }) => DURATION_MS - age)),
    };
  }

  #changedAt({ metadata: { name, resourceVersion } }: Lease, now: number): number {
    const known = this.#seen.get(name);
    // A clock that was set back must not keep a dead server for longer than it lasts.
    if (known !== undefined && known.version === resourceVersion && known.at <= now) return known.at;
    this.#seen.set(name, { version: resourceVersion, at: now });
    return now;
  }
}

/** The address in a Lease; undefined when there is none. */
export function addressIn({ metadata }: Lease): ServerAddress | undefined {
  const [ip = '', port = ''] = (metadata.annotations?.[ADDRESS_ANNOTATION] ?? '').split(' ');
  return ip !== '' && /^[1-9]\d{0,4}$/u.test(port) ? { ip, port: Number(port) } : undefined;
}

/** One server's own Lease. */
export interface OwnLease {
  readonly cluster: Cluster;
  readonly address: ServerAddress;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The same server has the same Lease after a restart. */
export function leaseName({ ip, port }: ServerAddress): string {
  return `apiserver-${ip.replaceAll(/[^0-9a-f]/gu, '-')}-${port}`.replaceAll(/-{2,}/gu, '-');
}

/** Renews the Lease until the signal is aborted, then deletes it, so that the others need not wait. Never rejects. */
export async function keepLease({ cluster, address, logger, signal }: OwnLease): Promise<void> {
  const target = { namespace: LEASE_NAMESPACE, name: leaseName(address) };
  while (!signal.aborted) {
    try {
      await renew(cluster, address, signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ lease: target.name, error }, 'the lease of this server could not be renewed');
    }
    await sleep(cluster.clock, RENEW_MS, signal).catch(() => undefined);
  }
  await cluster.delete(leases, target).catch(() => undefined);
}

async function renew(cluster: Cluster, address: ServerAddress, signal: AbortSignal): Promise<void> {
  const { namespace, name } = { namespace: LEASE_NAMESPACE, name: leaseName(address) };
  const renewTime = new Date(cluster.clock.now()).toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: name, leaseDurationSeconds: DURATION_MS / 1000, renewTime };
  const annotations = { [ADDRESS_ANNOTATION]: `${address.ip} ${address.port}` };
  const labels = { [IDENTITY_LABEL]: IDENTITY };
  try {
    await cluster.patch(
      leases,
      { namespace, name },
      { type: 'merge', body: { metadata: { annotations, labels }, spec } },
      { signal },
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const created = { metadata: { namespace, name, annotations, labels }, spec };
    await cluster.create(leases, created, { signal }).catch((refused: unknown) => {
      if (!isAlreadyExists(refused) && !isConflict(refused)) throw refused;
    });
  }
}
