/** Options of the compute pool, with their defaults. */

import type { QueueLimits } from './compute-state.ts';
import type { SharedLimits } from './shared-inputs.ts';

/** Options of the compute pool. */
export interface ComputeOptions {
  /** The most jobs that wait. Default: 100. */
  readonly maxQueuedJobs?: number | undefined;
  /** The most bytes of jobs that wait. Default: 64 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** The most bytes of jobs that wait for webhooks and policies: their objects are in memory. Default: 16 MiB. */
  readonly maxAskingBytes?: number | undefined;
  /** How long one job may run before its worker is stopped. Default: 10 s. */
  readonly jobDeadlineMs?: number | undefined;
  /** How long a worker may take to load its code. Default: 30 s. */
  readonly startDeadlineMs?: number | undefined;
  /** The most memory of a worker's heap, in MiB: a job that needs more ends the worker and not the server. Default: 512. */
  readonly maxHeapMb?: number | undefined;
  /** A worker without a job ends after this long and frees its memory. Default: 60 s. */
  readonly idleMs?: number | undefined;
  /** The most shared values that a worker keeps. Default: 256. */
  readonly maxSharedValues?: number | undefined;
  /** The most bytes of shared values that a worker keeps. Default: 32 MiB. */
  readonly maxSharedBytes?: number | undefined;
}

/** Options that were checked. */
export interface ComputeSettings {
  readonly queue: QueueLimits;
  readonly shared: SharedLimits;
  readonly jobDeadlineMs: number;
  readonly startDeadlineMs: number;
  readonly idleMs: number;
  readonly maxHeapMb: number;
}

const MIB = 1024 * 1024;

/** Checks the options. Throws a `RangeError` for a value that is not a number above 0. */
export function resolveCompute(options: ComputeOptions = {}): ComputeSettings {
  const positive = (name: keyof ComputeOptions, otherwise: number): number => {
    const value = options[name] ?? otherwise;
    if (!(Number.isFinite(value) && value > 0)) throw new RangeError(`${name} must be a number above 0, not ${value}`);
    return value;
  };
  return {
    queue: {
      maxJobs: positive('maxQueuedJobs', 100),
      maxBytes: positive('maxQueuedBytes', 64 * MIB),
      maxAskingBytes: positive('maxAskingBytes', 16 * MIB),
    },
    shared: { maxValues: positive('maxSharedValues', 256), maxBytes: positive('maxSharedBytes', 32 * MIB) },
    jobDeadlineMs: positive('jobDeadlineMs', 10_000),
    startDeadlineMs: positive('startDeadlineMs', 30_000),
    idleMs: positive('idleMs', 60_000),
    maxHeapMb: positive('maxHeapMb', 512),
  };
}
