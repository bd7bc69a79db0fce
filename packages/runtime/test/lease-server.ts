/** A server of one Lease, for models of leader election. */

import { type ApiObject, alreadyExists, conflict, notFound } from '@listwatch/api';
import { type Lease, type LeaseCluster, leases } from '../src/index.ts';
import type { CandidateProcess } from './candidate-process.ts';
import type { SeededRandom } from './seeded-random.ts';

export const LEASE = { namespace: 'default', name: 'web' } as const;

/** One lease, and versions. */
export class LeaseServer {
  #lease: Lease | undefined;
  #version = 0;

  read(): Lease {
    if (this.#lease === undefined) throw notFound(leases, LEASE.name);
    return this.#lease;
  }

  write(lease: Omit<Lease, 'metadata'> & { readonly metadata: Partial<Lease['metadata']> }, isNew: boolean): Lease {
    if (isNew && this.#lease !== undefined) throw alreadyExists(leases, LEASE.name);
    if (!isNew && lease.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) {
      throw conflict(leases, LEASE.name, 'the object has been modified');
    }
    this.#lease = { ...lease, metadata: { ...LEASE, resourceVersion: String(++this.#version) } };
    return this.#lease;
  }
}

/** What a candidate sees of it: each request and each answer takes up to 1.5 s. */
export function leaseCluster(process: CandidateProcess, server: LeaseServer, random: SeededRandom): LeaseCluster {
  const delayMs = (): number => random.below(1500);
  // oxlint-disable typescript/no-unsafe-type-assertion -- there is one resource, and its objects are leases
  return {
    clock: process,
    get: <T extends ApiObject>(_: unknown, __: unknown, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.read() as unknown as T, delayMs(), options?.signal),
    create: <T extends ApiObject>(_: unknown, object: unknown, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.write(object as Lease, true) as unknown as T, delayMs(), options?.signal),
    update: <T extends ApiObject>(_: unknown, object: T, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.write(object as unknown as Lease, false) as unknown as T, delayMs(), options?.signal),
  };
  // oxlint-enable typescript/no-unsafe-type-assertion
}
