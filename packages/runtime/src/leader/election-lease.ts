/** The Lease that candidates share. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

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

/** A time with microseconds, as Leases have it. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
