/** Admission as the stages of a write call it. */

import type { AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import type { CommitGuard, Revision } from '@listwatch/storage';
import type { ResourceCall } from './verb.ts';

/** How a write ended. */
export type WriteOutcome =
  | { readonly type: 'committed'; readonly revision: Revision }
  | { readonly type: 'nothing' }
  /** The storage did not answer; it may have committed. */
  | { readonly type: 'unknown' };

/** What the server has chosen for an object, such as the addresses of a Service. */
export interface Allocation {
  readonly object: KubeObject;
  /** Nobody else is given the same until this is called, once, with the outcome of the write. */
  readonly release: (outcome: WriteOutcome) => void;
}

/** Another object that a write depends on: the commit compares it. */
export interface HeldGuard {
  /** The object as it was checked. */
  readonly guard: CommitGuard;
  /** Checks the object again after it has changed. Throws the refusal of the write when it no longer suits. */
  readonly renew: () => Promise<CommitGuard>;
  /** An earlier write checked it, not this one. */
  readonly isEarlier: boolean;
}

/** What the server adds to and demands of writes beside the rules of their kinds. Each function throws the refusal. */
export interface Admission {
  /** Checks that a new object may be there at all: its namespace, and the definition of its kind. */
  requirePlace(call: ResourceCall, object: KubeObject, dryRun: boolean): Promise<readonly HeldGuard[]>;
  /** The object to go on with, before it is validated. */
  mutate(request: AdmissionRequest): Promise<KubeObject>;
  /** Refuses an object that is valid. */
  validate(request: AdmissionRequest): Promise<void>;
  /** Chooses and reserves in one turn, so that no other write is given the same; undefined when there is nothing to choose. */
  allocate(request: AdmissionRequest): Allocation | undefined;
  /** Raises the usage of quotas. A dry run is only checked. `charged`: what an attempt of the same write was charged for. */
  charge(request: AdmissionRequest, charged: AdmissionRequest | undefined): Promise<void>;
  /** A PUT or an apply that creates is authorized as `update` or `patch`; throws the 403 unless the user may `create`, too. */
  requireCreate(call: ResourceCall): Promise<void>;
}

/** Takes the text of a warning. */
export type Warn = (text: string) => void;
