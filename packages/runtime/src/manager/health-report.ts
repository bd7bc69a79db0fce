/** What the probes say. */

import { type GroupResource, groupResourceText } from '@listwatch/api';
import type { SharedInformerState } from '../informer/shared-informers.ts';

/**
 * - `starting`: the caches are being filled.
 * - `running`: waiting for leadership, or leading.
 * - `stopping`: a stop was asked for, or something failed.
 */
export type ManagerPhase = 'new' | 'running' | 'starting' | 'stopped' | 'stopping';

/** The answer to a probe, with a line for each part as kube-apiserver's `?verbose` has them. */
export interface HealthReport {
  readonly ok: boolean;
  readonly text: string;
}

/** What a runnable says of its readiness. */
export interface RunnableState {
  readonly name: string;
  readonly notReady: string | undefined;
}

/**
 * Ready when it runs and every cache is complete. A cache that is degraded stays ready: it serves what it has, and taking every
 * replica out of service when the API server restarts would make an outage larger.
 */
export function readiness(
  phase: ManagerPhase,
  informers: readonly SharedInformerState[],
  runnables: readonly RunnableState[],
  verbose: boolean,
): HealthReport {
  const parts = [
    { name: 'manager', ok: phase === 'running', text: phase },
    ...informers.map(({ resource, scope, hasSynced, status }) => ({
      name: `informer ${cacheName(resource, scope)}`,
      ok: hasSynced,
      text: status.reason === undefined ? status.phase : `${status.phase}: ${status.reason}`,
    })),
    ...runnables.map(({ name, notReady }) => ({ name, ok: notReady === undefined, text: notReady ?? 'ready' })),
  ];
  const ok = parts.every((part) => part.ok);
  if (ok && !verbose) return { ok, text: 'ok' };
  const lines = parts.map((part) => `[${part.ok ? '+' : '-'}]${part.name} ${part.text}`);
  return { ok, text: [...lines, `readyz check ${ok ? 'passed' : 'failed'}`, ''].join('\n') };
}

/** How a cache is called in probes and logs: its resource, and what tells it from others of that resource. */
export function cacheName(resource: GroupResource, scope: string): string {
  return [groupResourceText(resource), scope].filter((part) => part !== '').join(' ');
}

/** Alive as long as the event loop answers: a restart cures nothing that the cluster lacks, and costs new lists. */
export function liveness(phase: ManagerPhase, verbose: boolean): HealthReport {
  return { ok: true, text: verbose ? `[+]manager ${phase}\nhealthz check passed\n` : 'ok' };
}
