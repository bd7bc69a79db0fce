/** What a controller can be told. */

import type { ApiObject, Resource } from '@listwatch/api';
import type { InformerOptions } from '../informer/informer-options.ts';
import type { SharedInformers } from '../informer/shared-informers.ts';
import type { FailureBackoffOptions } from '../queue/failure-backoff.ts';
import type { Store } from '../store/store.ts';
import { type Logger, silentLogger, unfailingLogger } from './logger.ts';
import type { Predicate } from './predicate.ts';
import type { Reconcile } from './reconcile.ts';
import type { KeyTarget } from './reconcile-key.ts';

/** Which objects of a resource are followed: a namespace, selectors, indexes. */
export type SourceSelection<T extends ApiObject> = Omit<InformerOptions<T>, 'signal' | 'syncTimeoutMs'>;

/** What a mapper may read. */
export interface MapContext {
  /** The cache of a resource that the controller follows, with its indexes. Throws a RangeError for any other. */
  readonly store: <S extends ApiObject>(resource: Resource<S>) => Store<S>;
}

/** A resource whose changes lead to reconciles of other objects. */
export interface WatchedSource<T extends ApiObject = ApiObject> {
  readonly resource: Resource<T>;
  /**
   * The objects to reconcile when this one has changed. Called with the old and the new state of an update, so that an
   * object which stops referring to another still leads to it.
   */
  readonly map: (object: T, context: MapContext) => Iterable<KeyTarget>;
  readonly predicate?: Predicate<T> | undefined;
  readonly selection?: SourceSelection<T> | undefined;
}

/** A resource whose objects this controller makes. */
export interface OwnedSource<T extends ApiObject = ApiObject> {
  readonly resource: Resource<T>;
  /** All owners of the kind, not only the managing one. Default: false. */
  readonly everyOwner?: boolean | undefined;
  readonly predicate?: Predicate<T> | undefined;
  readonly selection?: SourceSelection<T> | undefined;
}

/** Options of {@link controller}. */
export interface ControllerOptions<T extends ApiObject> {
  /** For logs, metrics and errors. Default: the kind in lower case. */
  readonly name?: string | undefined;
  /** The resource whose objects are reconciled. */
  readonly for: Resource<T>;
  readonly selection?: SourceSelection<T> | undefined;
  /** Which changes of the object itself count. Default: all. */
  readonly predicate?: Predicate<T> | undefined;
  /** Objects with an owner reference to an object of `for` lead to a reconcile of that one. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each source has objects of its own type
  readonly owns?: readonly (OwnedSource<any> | Resource<any>)[] | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- each source has objects of its own type
  readonly watches?: readonly WatchedSource<any>[] | undefined;
  readonly reconcile: Reconcile<T>;
  /** Objects that are reconciled at once; one of them never twice. Default: 1 (controller-runtime). */
  readonly concurrency?: number | undefined;
  /** The waits after failures, for each object. Default: 5 ms doubling up to 1000 s. */
  readonly backoff?: FailureBackoffOptions | undefined;
  /** The signal of a reconcile that takes longer is aborted. Default: 0, never. */
  readonly reconcileTimeoutMs?: number | undefined;
  /**
   * A reconcile that runs longer is logged as a warning, again each time that its time has doubled, and counted in
   * `metrics.stuck`. Default: 60 000; 0: never.
   */
  readonly warnAfterMs?: number | undefined;
  /** After a stop, running reconciles may go on for so long before their signal is aborted. Default: 10 000. */
  readonly stopGraceMs?: number | undefined;
  /** `run` rejects when the caches are not complete by then. Default: 120 000 (controller-runtime); 0: never. */
  readonly syncTimeoutMs?: number | undefined;
  /** How long a reconcile waits for the caches to show the writes of the one before. Default: 5 000. */
  readonly readYourWritesMs?: number | undefined;
  /** Informers to share with others. Default: own ones, which end with the controller. */
  readonly informers?: SharedInformers | undefined;
  /** Which process the Events of `ctx.recorder` name. Default: the name and a random part. */
  readonly reportingInstance?: string | undefined;
  /** Default: nothing is logged. pino's loggers fit. */
  readonly logger?: Logger | undefined;
}

/** The options, checked and filled in. */
export interface ControllerConfig<T extends ApiObject> {
  readonly name: string;
  readonly for: Resource<T>;
  readonly selection: SourceSelection<T>;
  readonly predicate: Predicate<T>;
  readonly owns: readonly OwnedSource[];
  readonly watches: readonly WatchedSource[];
  readonly reconcile: Reconcile<T>;
  readonly concurrency: number;
  readonly backoff: FailureBackoffOptions | undefined;
  readonly reconcileTimeoutMs: number;
  readonly warnAfterMs: number;
  readonly stopGraceMs: number;
  readonly syncTimeoutMs: number;
  readonly readYourWritesMs: number;
  readonly informers: SharedInformers | undefined;
  readonly reportingInstance: string | undefined;
  readonly logger: Logger;
}

/** Checks options, once. Throws a TypeError or a RangeError that names the option. */
export function resolveControllerOptions<T extends ApiObject>(options: ControllerOptions<T>): ControllerConfig<T> {
  const { concurrency = 1, owns = [], watches = [] } = options;
  if (typeof options.reconcile !== 'function') throw new TypeError('reconcile must be a function');
  if (!isResource(options.for)) throw new TypeError('for must be a resource: make one with resource()');
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number from 1, not ${concurrency}`);
  }
  for (const { map, resource } of watches) {
    if (typeof map !== 'function') throw new TypeError(`watches of ${resource.plural}: map must be a function`);
  }
  return Object.freeze({
    name: options.name ?? options.for.kind.toLowerCase(),
    for: options.for,
    selection: options.selection ?? {},
    predicate: options.predicate ?? always,
    owns: owns.map((source): OwnedSource => ('resource' in source ? source : { resource: source })),
    watches,
    reconcile: options.reconcile,
    concurrency,
    backoff: options.backoff,
    reconcileTimeoutMs: duration('reconcileTimeoutMs', options.reconcileTimeoutMs, 0),
    warnAfterMs: duration('warnAfterMs', options.warnAfterMs, 60_000),
    stopGraceMs: duration('stopGraceMs', options.stopGraceMs, 10_000),
    syncTimeoutMs: duration('syncTimeoutMs', options.syncTimeoutMs, 120_000),
    readYourWritesMs: duration('readYourWritesMs', options.readYourWritesMs, 5000),
    informers: options.informers,
    reportingInstance: options.reportingInstance,
    logger: unfailingLogger(options.logger ?? silentLogger),
  });
}

function always(): boolean {
  return true;
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'plural' in value && 'kind' in value && 'version' in value;
}

function duration(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (!(value >= 0)) throw new RangeError(`${name} must be 0 or more milliseconds, not ${value}`);
  return value;
}
