/** Writes one Event, and tells a refusal from a failure that may pass. */

import { findStatusError, isAlreadyExists, isNotFound } from '@listwatch/api';
import type { Cluster, ObjectTarget } from '@listwatch/client';
import { isTransportError } from '@listwatch/client/internal';
import { type EventEntry, seriesOf } from './event-entry.ts';
import { kubeEvents } from './kube-event.ts';

/** The part of a cluster that a recorder needs. */
export type EventCluster = Pick<Cluster, 'clock' | 'create' | 'patch'>;

/** Creates the Event, or lets its series grow. Rejects as the cluster does. */
export async function writeEvent(cluster: EventCluster, entry: EventEntry, signal: AbortSignal): Promise<void> {
  const { event } = entry;
  const { name = '', namespace } = event.metadata;
  const target: ObjectTarget = { name, namespace };
  const series = seriesOf(entry);
  if (entry.exists) {
    try {
      await cluster.patch(kubeEvents, target, { type: 'merge', body: series }, { signal });
      return;
    } catch (error) {
      // The server has forgotten it, after an hour by default.
      if (!isNotFound(error)) throw error;
    }
  }
  try {
    await cluster.create(kubeEvents, { ...event, ...series }, { signal });
  } catch (error) {
    // An earlier try whose answer was lost, perhaps one that was given up before the series began.
    if (!isAlreadyExists(error)) throw error;
    if (series.series !== undefined)
      await cluster.patch(kubeEvents, target, { type: 'merge', body: series }, { signal });
  }
}

/** Would the same write be refused again? client-go gives up at every answer; this one tries again when the server is busy. */
export function isRefusal(error: unknown): boolean {
  if (isTransportError(error, 'CLIENT_CLOSED')) return true;
  const code = findStatusError(error)?.status.code;
  return code !== undefined && code < 500 && code !== 429;
}
