/** Admission as the stages of a write call it. */

import type { AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import type { AbortOptions, AlongsidePut, CommitGuard, Entry, Revision } from '@listwatch/storage';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { AccessAttributes, AccessDecision } from './authorization.ts';
import type { AdmittedWrite, DynamicRequest, RequestHead, RequestObjects } from './dynamic-admission.ts';
import type { WriteAnswers, WriteQuestion } from './large-work.ts';
import type { RoleGranting } from './role-granting.ts';
import type { ResourceCall } from './verb.ts';

/** How a write ended. */
export type WriteOutcome =
  | { readonly type: 'committed'; readonly revision: Revision }
  | { readonly type: 'nothing' }
  /** The storage did not answer; it may have committed. */
  | { readonly type: 'unknown' };

/** Values that the server has chosen for an object, such as the addresses of a Service. */
export interface Allocation {
  readonly object: KubeObject;
  /** The keys that no other object may have: the commit claims them. */
  readonly claims: readonly HeldClaim[];
  /** Ends the reservation of the values. Call it once, with the outcome of the write. */
  readonly release: (outcome: WriteOutcome) => void;
  /** Writes what tells of the values, such as IPAddresses, once the object is committed. The answer waits for it; never rejects. */
  readonly publish: () => Promise<void>;
}

/** Another object that a write depends on: the commit compares it. */
export interface HeldGuard {
  /** The object as it was checked. */
  readonly guard: CommitGuard;
  /** Checks the object again after it has changed. Throws the refusal of the write when it no longer suits. */
  readonly renew: () => Promise<CommitGuard>;
  /** The check is from an earlier write, not from this one. */
  readonly isEarlier: boolean;
}

/** A key that only one object may have in a store that servers share. The commit of the object writes it in the same revision. */
export interface HeldClaim {
  readonly key: string;
  /** How the commit writes the claim for the object under the key `owner`. Undefined while another object has it. */
  readonly take: (owner: string, options: AbortOptions) => Promise<AlongsidePut | undefined>;
  /** Another object has the claim: the next allocation must choose another value. */
  readonly lost: () => void;
}

/** Admission of writes, besides the validation rules of their kinds. Each function throws the refusal. */
export interface Admission {
  /** Checks that the namespace of a new object and the definition of its kind exist and are not being deleted. */
  requirePlace(call: ResourceCall, object: KubeObject, dryRun: boolean): Promise<readonly HeldGuard[]>;
  /** Mutating admission: returns the object to continue with. Without `write` only the plugins run. */
  mutate(request: AdmissionRequest, write: (() => AdmittedWrite) | undefined): Promise<KubeObject>;
  /** Validating admission: may refuse an object that passed validation. */
  validate(request: AdmissionRequest, write: (() => AdmittedWrite) | undefined): Promise<void>;
  /**
   * Runs both passes of policies and webhooks for a request outside of the write stages: a deletion, a review, a
   * connection. Returns the object to continue with; undefined when no policy or webhook can match. With `objects`, those of the
   * request, it is made only for somebody who takes their labels.
   */
  admit(head: RequestHead, request: () => DynamicRequest, objects?: RequestObjects): Promise<KubeObject | undefined>;
  /** Can a policy or webhook match? */
  concerns(head: RequestHead, pass: 'mutating' | 'validating'): boolean;
  /** Runs one round of mutating policies and webhooks, for a write that runs in another thread. */
  mutateRound(write: AdmittedWrite, request: DynamicRequest, round: 0 | 1): Promise<KubeObject | undefined>;
  /** Runs the validating policies and webhooks, for a write that runs in another thread. */
  validateSteps(request: DynamicRequest): Promise<void>;
  /** Chooses and reserves values in one turn, so that no other write gets them. Undefined: nothing to choose. */
  allocate(request: AdmissionRequest): Promise<Allocation | undefined>;
  /** Frees the claims of an object that the commit at this revision removed. */
  removed(definition: ResourceDefinition, entry: Entry, revision: Revision): Promise<void>;
  /** Raises the usage of quotas; a dry run only checks it. `charged`: the request of an attempt that was charged. */
  charge(request: AdmissionRequest, charged: AdmissionRequest | undefined): Promise<void>;
  /** A PUT or an apply that creates is authorized as `update` or `patch`; throws the 403 unless the user may `create`, too. */
  requireCreate(call: ResourceCall): Promise<void>;
  /** The reads of the plugins. */
  readonly reads: AdmissionReads;
}

/** Objects that plugins read, as JSON: the plugins for a large object run in another thread. */
export interface AdmissionReads {
  /** Objects in the caches: see `WriteAnswers`. Throws the 429 as long as a cache was never filled. */
  cached(question: Extract<WriteQuestion, { readonly type: 'cached' }>): Uint8Array;
  /** A namespace in the store. */
  namespace(name: string): Promise<Uint8Array | undefined>;
  /** A page of the Pods of a namespace, after a name. */
  pods(namespace: string, after: string): WriteAnswers['pods'];
  authorize(attributes: AccessAttributes): Promise<AccessDecision> | AccessDecision;
  readonly granting: RoleGranting;
  hasQuotas(namespace: string): boolean;
}

/** Takes the text of a warning. */
export type Warn = (text: string) => void;
