/** A cache of a cluster that is always right. Start at `informer`; `watcher` is the stream below it. */

export type { MergePart } from '@listwatch/client';
export type { Dependent, DependentOptions } from './controller/apply-dependent.ts';
export {
  type Condition,
  findCondition,
  isConditionTrue,
  type NewCondition,
  setCondition,
} from './controller/condition.ts';
export { type Controller, controller } from './controller/controller.ts';
export { ControllerError, type ControllerErrorCode, TerminalError } from './controller/controller-error.ts';
export type {
  ControllerOptions,
  MapContext,
  OwnedSource,
  SourceSelection,
  WatchedSource,
} from './controller/controller-options.ts';
export { type Logger, type LogLine, silentLogger } from './controller/logger.ts';
export type { ObjectWrites, PatchStatusOptions, StatusPart } from './controller/object-writes.ts';
export { controllerOf, ownerReference } from './controller/owner-reference.ts';
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  type Predicate,
  resourceVersionChanged,
} from './controller/predicate.ts';
export type { Reconcile, ReconcileContext, ReconcileRequest, ReconcileResult } from './controller/reconcile.ts';
export type { ControllerMetrics, ReconcileOutcome } from './controller/reconcile-counters.ts';
export type { KeyTarget, ReconcileKey } from './controller/reconcile-key.ts';
export { type FinalizedReconcile, withFinalizer } from './controller/with-finalizer.ts';
export {
  type EventDetails,
  type EventMetrics,
  type EventRecorder,
  type EventRecorderOptions,
  eventRecorder,
  type ObjectEvents,
} from './events/event-recorder.ts';
export type { EventCluster } from './events/event-writer.ts';
export {
  type EventSeries,
  type KubeEvent,
  kubeEvents,
  type ObjectReference,
  objectReference,
  type ReferableObject,
} from './events/kube-event.ts';
export { allOf, anyOf, type ExplainedTest, not } from './explained-test.ts';
export type { ChangeQueueOptions } from './informer/change-queue.ts';
export type { ChangeStream, ChangesOptions } from './informer/change-stream.ts';
export type { Checkpoint, CheckpointDraft, CheckpointIdentity, CheckpointState } from './informer/checkpoint.ts';
export type { HandlerLoopOptions, Handlers } from './informer/handler-loop.ts';
export { type Informer, informer } from './informer/informer.ts';
export { InformerError, type InformerErrorCode } from './informer/informer-error.ts';
export type { InformerMetrics } from './informer/informer-metrics.ts';
export type { InformerOptions } from './informer/informer-options.ts';
export type { InformerPhase, InformerStatus } from './informer/informer-status.ts';
export type { InformerWarning, WarningSink } from './informer/informer-warning.ts';
export type { Registration } from './informer/registration.ts';
export { type SharedInformerState, type SharedInformers, sharedInformers } from './informer/shared-informers.ts';
export { type Lease, type LeaseSpec, leases } from './leader/election-lease.ts';
export type { ElectionState } from './leader/election-state.ts';
export {
  type LeaderElection,
  LeaderElectionError,
  type LeaderElectionOptions,
  type LeaseCluster,
  type LeaseWait,
  leaderElection,
} from './leader/leader-election.ts';
export { DURATION_BOUNDS_MS, type DurationSum } from './queue/duration-histogram.ts';
export type { FailureBackoffOptions } from './queue/failure-backoff.ts';
export type { WorkQueueMetrics } from './queue/queue-counters.ts';
export {
  type AddOptions,
  LOW_PRIORITY,
  type WorkItem,
  type WorkQueue,
  type WorkQueueOptions,
  workQueue,
} from './queue/work-queue.ts';
export type { AddChange, DeleteChange, StoreChange, UpdateChange } from './reflector/store-change.ts';
export { objectKey } from './store/object-key.ts';
export type { Store, StoreKey } from './store/store.ts';
export { type IndexFunction, NAMESPACE_INDEX } from './store/store-index.ts';
export type { FieldPath } from './wait/field-path.ts';
export { conditionIs, deleted, exists, fieldIs, type WaitCondition } from './wait/wait-condition.ts';
export { WaitError, type WaitErrorCode } from './wait/wait-error.ts';
export { type WaitCluster, type WaitOptions, type WaitTarget, waitFor } from './wait/wait-for.ts';
export type { WatchedCluster } from './watched-cluster.ts';
export type { BackoffOptions } from './watcher/backoff.ts';
export { type Watcher, watcher } from './watcher/watcher.ts';
export type { InitialStrategy, WatcherOptions } from './watcher/watcher-options.ts';
export type { WatcherProgress } from './watcher/watcher-progress.ts';
export { WatcherError, type WatcherErrorCode } from './watcher-error.ts';
export type {
  ApplyEvent,
  DeleteEvent,
  ErrorEvent,
  InitApplyEvent,
  InitDoneEvent,
  InitEvent,
  WatcherEvent,
} from './watcher-event.ts';
