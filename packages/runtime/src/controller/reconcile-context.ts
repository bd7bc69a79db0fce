/** Makes what a reconcile is given. */

import type { ApiObject } from '@listwatch/api';
import type { Cluster, RestMapper } from '@listwatch/client';
import type { EventRecorder } from '../events/event-recorder.ts';
import { objectReference } from '../events/kube-event.ts';
import type { WorkItem } from '../queue/work-queue.ts';
import { applyDependent, applyManifest, type DependentSurroundings } from './apply-dependent.ts';
import type { ControllerConfig } from './controller-options.ts';
import { type ControllerSources, keepsWhole } from './controller-sources.ts';
import { withFacts } from './logger.ts';
import type { ReconcileContext } from './reconcile.ts';
import { reconcileKey } from './reconcile-key.ts';
import { ReconciledObject } from './reconciled-object.ts';
import { TrackedCluster } from './tracked-cluster.ts';
import type { WriteTracker } from './write-tracker.ts';

/** The controller of a reconcile. */
export interface ReconcileSurroundings<T extends ApiObject> {
  readonly cluster: Cluster;
  readonly mapper: RestMapper;
  readonly recorder: EventRecorder;
  readonly config: ControllerConfig<T>;
  readonly sources: ControllerSources<T>;
  readonly tracker: WriteTracker;
}

/** One reconcile. */
export interface ReconcileRun<T extends ApiObject> {
  readonly id: string;
  readonly item: WorkItem<string>;
  readonly object: T | undefined;
  readonly signal: AbortSignal;
}

export function reconcileContext<T extends ApiObject>(
  { cluster, mapper, recorder, config, sources, tracker }: ReconcileSurroundings<T>,
  { id, item: { key, failures }, object, signal }: ReconcileRun<T>,
): ReconcileContext<T> {
  const own = new ReconciledObject<T>(() => tracked, {
    resource: config.for,
    object,
    fieldManager: config.name,
    hasStatus: keepsWhole(config.selection),
  });
  const tracked = new TrackedCluster(cluster, {
    key,
    signal,
    tracker,
    storesOf: (resource, written) => sources.storesOf(resource, written),
    onWrite: (resource, written, subresource) => own.wrote(resource, written, subresource),
  });
  // Made when it is needed: most reconciles apply nothing.
  const dependents = (): DependentSurroundings<T> => ({
    cluster: tracked,
    mapper,
    owner: { resource: config.for, object, namespace: reconcileKey(key).namespace },
    fieldManager: config.name,
    followed: sources.resources,
    cached: (resource, objectKey) => sources.whole(resource, objectKey),
  });
  return {
    // Most reconciles record nothing.
    get recorder() {
      return recorder.about(objectReference(config.for, object ?? { metadata: reconcileKey(key) }));
    },
    cluster: tracked,
    store: (resource) => sources.storeOf(resource),
    signal,
    id,
    failures,
    log: withFacts(config.logger, { controller: config.name, key, reconcile: id }),
    apply: (resource, dependent, options) => applyDependent(dependents(), resource, dependent, { signal, ...options }),
    applyManifest: (dependent, options) => applyManifest(dependents(), dependent, { signal, ...options }),
    patchStatus: (status, options) => own.patchStatus(status, options),
    ensureFinalizer: (name) => own.ensureFinalizer(name),
    finalize: (name, cleanup) => own.finalize(name, cleanup),
  };
}
