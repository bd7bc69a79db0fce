/** One reconcile: what it is given, and what it may answer. */

import type { ApiObject, Resource } from '@listwatch/api';
import type { AppliedObject, Cluster } from '@listwatch/client';
import type { ObjectEvents } from '../events/event-recorder.ts';
import type { Store } from '../store/store.ts';
import type { Dependent, DependentOptions } from './apply-dependent.ts';
import type { Logger } from './logger.ts';
import type { ObjectWrites } from './object-writes.ts';
import type { ReconcileKey } from './reconcile-key.ts';

/** What is to be reconciled. */
export interface ReconcileRequest<T extends ApiObject> {
  readonly key: ReconcileKey;
  /** The cached object; undefined once it has gone. */
  readonly object: T | undefined;
}

/** The surroundings of one reconcile. Its functions may be taken off it: `({ object }, { patchStatus }) => ...`. */
export interface ReconcileContext<T extends ApiObject = ApiObject> extends ObjectWrites<T> {
  /**
   * The cluster. The next reconcile of this key waits until the caches of this controller show what was written through
   * this, so that it never acts on a state from before its own writes. Requests without a signal of their own end with
   * the signal of the reconcile.
   */
  readonly cluster: Cluster;
  /** The cache of a resource that this controller follows. Throws a RangeError for any other. */
  readonly store: <S extends ApiObject>(resource: Resource<S>) => Store<S>;
  /**
   * Creates an object that belongs to the reconciled one, or sets the fields that it has, and removes those that this controller
   * applied before. By server-side apply, or by a merge patch where the server does not have that. The reconciled object
   * becomes its managing owner: throws a TypeError where Kubernetes does not allow that. Writes nothing when nothing differs.
   * Without a namespace the object goes into that of the reconciled one.
   *
   * @example
   * await ctx.apply(services, { metadata: { name: key.name }, spec: { selector, ports: [{ port: 80 }] } });
   */
  apply<S extends ApiObject>(
    this: void,
    resource: Resource<S>,
    object: AppliedObject<S>,
    options?: DependentOptions,
  ): Promise<S>;
  /** The same for an object that names its kind: from a file, or of a kind that only the running program knows. */
  applyManifest<D extends Dependent>(this: void, dependent: D, options?: DependentOptions): Promise<ApiObject & D>;
  /** Aborted when the reconcile has taken too long, or when the controller stops and its grace has passed. */
  readonly signal: AbortSignal;
  /** Tells this reconcile from all others, in logs. */
  readonly id: string;
  /** With the controller, the key and the id in every line. */
  readonly log: Logger;
  /** Records Kubernetes Events about the object. It never throws and never waits. */
  readonly recorder: ObjectEvents;
  /** How often this key has failed in a row. */
  readonly failures: number;
}

/** What follows a reconcile that succeeded. Nothing: wait for the next change. */
export interface ReconcileResult {
  /** Reconcile again after this time, or at the next change if that comes first. */
  readonly requeueAfterMs?: number | undefined;
  /** The priority of that run. Default: that of this one. */
  readonly priority?: number | undefined;
}

/**
 * Brings the cluster to what the object asks for. Must be safe to repeat. An error is retried with backoff, a
 * `TerminalError` is not.
 */
export type Reconcile<T extends ApiObject> = (
  request: ReconcileRequest<T>,
  context: ReconcileContext<T>,
) => Promise<ReconcileResult | undefined | void> | ReconcileResult | undefined | void;
