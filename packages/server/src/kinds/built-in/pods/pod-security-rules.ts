/** The rules for what a pod shares with its host, and for its system. */

import { type FieldError, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, recordOf, textOf } from '../../json/json-value.ts';

type Errors = readonly FieldError[];

/** Processes are shared with the host or among the containers. */
export function validateSharedProcesses({ shareProcessNamespace, hostPID }: JsonRecord, field: string): Errors {
  if (shareProcessNamespace !== true || hostPID !== true) return [];
  const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
  return [fieldInvalid(`${field}.securityContext.shareProcessNamespace`, true, why)];
}

const SYSTEMS = ['linux', 'windows'];

/** Checks `os` of a pod. */
export function validateSystem({ os }: JsonRecord, field: string): Errors {
  if (os === undefined) return [];
  const name = textOf(recordOf(os)['name']);
  return SYSTEMS.includes(name) ? [] : [fieldNotSupported(`${field}.os`, name, SYSTEMS)];
}
