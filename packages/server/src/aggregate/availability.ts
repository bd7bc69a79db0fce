/** Whether an APIService is available: the condition that its status shows. */

import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { type KubeObject, localAvailable, wholeSeconds } from '@listwatch/rules/internal';
import type { RemoteApiService } from './api-service-view.ts';
import type { BackendAddress, BackendProblem } from './backend-address.ts';

/** The outcome of a check. */
export interface Availability {
  readonly status: 'False' | 'True' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

export function unavailable({ reason, message }: BackendProblem): Availability {
  return { status: 'False', reason, message };
}

export function failedDiscovery(url: string, error: string): Availability {
  return {
    status: 'False',
    reason: 'FailedDiscoveryCheck',
    message: `failing or missing response from ${url}: ${error}`,
  };
}

/** What is asked to know whether a backend serves. */
export function discoveryPath({ group, version }: RemoteApiService): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function discoveryUrl(service: RemoteApiService, { host, port }: BackendAddress): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}${discoveryPath(service)}`;
}

/** The object with the condition; the same object when nothing changes. The time moves only with the status. */
export function withAvailability(object: KubeObject, next: Availability, now: number): KubeObject {
  const status = recordOf(object['status']);
  const conditions = recordsOf(status['conditions']);
  const known = conditions.find(({ type }) => type === 'Available');
  if (
    known !== undefined &&
    known['status'] === next.status &&
    textOf(known['reason']) === next.reason &&
    textOf(known['message']) === next.message
  ) {
    return object;
  }
  const lastTransitionTime = known?.['status'] === next.status ? known['lastTransitionTime'] : wholeSeconds(now);
  const { reason, message } = next;
  const made = { type: 'Available', status: next.status, lastTransitionTime, reason, message };
  const others = conditions.filter(({ type }) => type !== 'Available');
  return { ...object, status: { ...status, conditions: [...others, made] } };
}

/** Of an APIService without a backend. */
export function localAvailability(now: number): Availability {
  const { reason, message } = localAvailable(now);
  return { status: 'True', reason: textOf(reason), message: textOf(message) };
}
