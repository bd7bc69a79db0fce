/** The Lease that candidates share. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';

/** A Lease of coordination.k8s.io/v1. */
export interface Lease extends ApiObject {
  readonly spec?: LeaseSpec;
}

export interface LeaseSpec {
  /** Empty or absent: nobody holds it. */
  readonly holderIdentity?: string;
  /** How long the others wait after the last renewal that they saw. */
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** How often the holder has changed. */
  readonly leaseTransitions?: number;
}

export const leases: Resource<Lease> = resource<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
});

/** The largest that the API has room for. */
const INT32_MAX = 2 ** 31 - 1;

/**
 * The spec with what can be believed of it. A duration of any other kind would be a wait of no time, and this candidate would take a
 * lease that is held; a count that is none would make every write of it a refused one.
 */
export function readLeaseSpec(lease: Lease | undefined): LeaseSpec {
  const { holderIdentity = null, leaseDurationSeconds, acquireTime, leaseTransitions } = recordOf(lease?.spec);
  return {
    holderIdentity: holderIdentity === null ? '' : textOr(UNREADABLE, holderIdentity),
    ...(isCount(leaseDurationSeconds) && leaseDurationSeconds > 0 && { leaseDurationSeconds }),
    ...(Number.isFinite(Date.parse(textOf(acquireTime))) && { acquireTime: textOf(acquireTime) }),
    leaseTransitions: isCount(leaseTransitions) ? leaseTransitions : 0,
  };
}

/** Somebody holds the lease, and the server does not say who. */
const UNREADABLE = 'unknown';

function textOr(other: string, value: unknown): string {
  return typeof value === 'string' ? value : other;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < INT32_MAX;
}

/** A time with microseconds, as Leases have it. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
