/** Empties deleted namespaces and lets them go. */

import { isConflict, isNotFound } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Cluster } from '@listwatch/client';
import type { ReconcileResult } from '@listwatch/runtime';
import type { BuiltInController, ControllerSurroundings } from '../built-in-controller.ts';
import { type Namespace, namespaces } from '../core-resources.ts';
import { runController } from '../run-controller.ts';
import { deleteContent } from './content-deletion.ts';
import { deletionConditions } from './deletion-conditions.ts';
import { type DeletionReport, errorsOf, estimateOf } from './deletion-report.ts';
import { discoverNamespacedKinds } from './namespaced-kinds.ts';

/** The finalizer in `spec` that this controller removes. */
const FINALIZER = 'kubernetes';

/** Namespaces that are emptied at once, as in kube-controller-manager. */
const CONCURRENCY = 10;

/** The first wait for finalizers of content. The next ones take twice as long, up to half the estimate. */
const FIRST_LOOK_MS = 250;

/** Options of {@link namespaceController}. */
export interface NamespaceControllerOptions {
  /**
   * The wait between the deletion of a namespace and that of its content. Another server may still create objects in the
   * namespace until it has seen the deletion. Default: 5 000, as in kube-controller-manager.
   */
  readonly graceMs?: number | undefined;
}

/** Deletes the content of terminating namespaces, says in conditions what is left, and removes the finalizer `kubernetes`. */
export function namespaceController({ graceMs = 5000 }: NamespaceControllerOptions = {}): BuiltInController {
  if (!(graceMs >= 0)) throw new RangeError(`graceMs must be 0 or more milliseconds, not ${graceMs}`);
  return {
    name: 'namespace-controller',
    signalsReady: true,
    run: (surroundings) => {
      const since = new Map<string, number>();
      return runController<Namespace>(surroundings, {
        name: 'namespace-controller',
        for: namespaces,
        concurrency: CONCURRENCY,
        backoff: { maxMs: 60_000 },
        reconcile: async ({ object, key }) => {
          if (object?.metadata.deletionTimestamp === undefined) return void since.delete(key.name);
          const deletedAt = Date.parse(object.metadata.deletionTimestamp);
          const waitMs = Math.min(graceMs, deletedAt + graceMs - surroundings.cluster.clock.now());
          if (waitMs > 0) return { requeueAfterMs: waitMs };
          const estimate = await empty(surroundings, key.name);
          if (estimate === 0) return void since.delete(key.name);
          const now = monotonicMs(surroundings.cluster.clock);
          const start = since.get(key.name) ?? now;
          since.set(key.name, start);
          return nextLook(now - start, estimate);
        },
      });
    },
  };
}

/**
 * Kubernetes looks again after half the estimate and a second; objects that only wait for a controller go sooner. The wait
 * depends on the time so far, not on the number of looks: every change of the status leads to a look of its own.
 */
function nextLook(waitedMs: number, estimateSeconds: number): ReconcileResult {
  const longestMs = (Math.floor(estimateSeconds / 2) + 1) * 1000;
  return { requeueAfterMs: Math.min(longestMs, Math.max(FIRST_LOOK_MS, waitedMs)) };
}

/** Resolves to 0 when the namespace has no content left, else to the seconds until it may be gone. */
async function empty({ cluster, logger, signal }: ControllerSurroundings, name: string): Promise<number> {
  // The cache may lag: a namespace of the same name may have been created anew.
  const namespace = await found(() => cluster.get(namespaces, { name }, { signal }));
  if (namespace?.metadata.deletionTimestamp === undefined) return 0;
  const marked = await changed(cluster, namespace, signal, markTerminating);
  if (marked === undefined || (marked.spec?.finalizers ?? []).length === 0) return 0;
  const deletedAt = Date.parse(marked.metadata.deletionTimestamp ?? '');
  const kinds = await discoverNamespacedKinds(cluster, signal);
  const report = await deleteContent({ cluster, namespace: name, deletedAt, signal }, kinds);
  const told = await tell(cluster, marked, report, signal).catch((error: unknown) => {
    logger.warn({ namespace: name, error }, 'the conditions of the namespace could not be updated');
    return marked;
  });
  const errors = errorsOf(report);
  if (errors.length > 0) throw failure(name, errors);
  const estimate = estimateOf(report);
  if (estimate === 0) await changed(cluster, told, signal, removeFinalizer);
  return estimate;
}

function failure(name: string, errors: readonly unknown[]): Error {
  const texts = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  return new AggregateError(errors, `the content of the namespace ${name} could not be deleted: ${texts.join(', ')}`);
}

/** Writes what the attempt has found, if that is news. */
async function tell(
  cluster: Cluster,
  namespace: Namespace,
  report: DeletionReport,
  signal: AbortSignal,
): Promise<Namespace> {
  const { conditions = [] } = namespace.status ?? {};
  const now = `${new Date(cluster.clock.now()).toISOString().slice(0, 19)}Z`;
  const next = deletionConditions(conditions, report, now);
  if (next === conditions) return namespace;
  const status = { ...namespace.status, conditions: next };
  return cluster.update(namespaces, { ...namespace, status }, { subresource: 'status', signal });
}

type Change = (cluster: Cluster, namespace: Namespace, signal: AbortSignal) => Promise<Namespace>;

const markTerminating: Change = async (cluster, namespace, signal) => {
  if (namespace.status?.phase === 'Terminating') return namespace;
  const status = { ...namespace.status, phase: 'Terminating' };
  return cluster.update(namespaces, { ...namespace, status }, { subresource: 'status', signal });
};

const removeFinalizer: Change = async (cluster, namespace, signal) => {
  const { finalizers = [] } = namespace.spec ?? {};
  const spec = { ...namespace.spec, finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER) };
  return cluster.update(namespaces, { ...namespace, spec }, { subresource: 'finalize', signal });
};

/** Repeats a change after a conflict. Undefined when the namespace has gone, or another has its name. */
async function changed(
  cluster: Cluster,
  namespace: Namespace,
  signal: AbortSignal,
  change: Change,
): Promise<Namespace | undefined> {
  let latest: Namespace | undefined = namespace;
  while (latest !== undefined && latest.metadata.uid === namespace.metadata.uid) {
    const current: Namespace = latest;
    try {
      return await found(() => change(cluster, current, signal));
    } catch (error) {
      if (!isConflict(error)) throw error;
      latest = await found(() => cluster.get(namespaces, { name: namespace.metadata.name }, { signal }));
    }
  }
  return undefined;
}

async function found<V>(ask: () => Promise<V>): Promise<V | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
