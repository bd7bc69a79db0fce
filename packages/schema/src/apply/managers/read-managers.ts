/** Reads `metadata.managedFields`. */

import { quote } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { readFields } from '../fields/fields-v1.ts';
import { memberOf } from '../typed/members.ts';
import { type ManagedEntry, type Managers, managerIdentity } from './managed-entry.ts';

/** Entries that cannot be read, with Kubernetes' message. */
export interface UnreadableManagers {
  readonly problem: string;
}

/** The entries, of which the last with an identity counts. Absent and null: none. */
export function readManagers(managedFields: unknown): Managers | UnreadableManagers {
  const managers = new Map<string, ManagedEntry>();
  if (managedFields === undefined || managedFields === null) return managers;
  if (!Array.isArray(managedFields)) return { problem: 'managedFields must be a list' };
  for (const [index, one] of managedFields.entries()) {
    const entry = readEntry(isRecord(one) ? one : {}, index);
    if ('problem' in entry) return entry;
    managers.set(managerIdentity(entry), entry);
  }
  return managers;
}

/** The entries of an object that was written before; none when they cannot be read. */
export function readableManagers(managedFields: unknown): Managers {
  const managers = readManagers(managedFields);
  return 'problem' in managers ? new Map() : managers;
}

function readEntry(entry: JsonRecord, index: number): ManagedEntry | UnreadableManagers {
  const operation = memberOf(entry, 'operation');
  if (operation !== 'Apply' && operation !== 'Update') {
    return { problem: 'operation must be `Apply` or `Update`' };
  }
  const apiVersion = textOf(entry, 'apiVersion');
  if (apiVersion === '') return { problem: 'apiVersion must not be empty' };
  const fieldsType = textOf(entry, 'fieldsType');
  if (fieldsType === '') return { problem: `missing fieldsType in managed fields entry ${index}` };
  if (fieldsType !== 'FieldsV1') {
    return { problem: `invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}` };
  }
  const fields = readFields(memberOf(entry, 'fieldsV1'));
  if (fields === undefined) return { problem: `error decoding set of managed fields entry ${index}` };
  const time = memberOf(entry, 'time');
  return {
    manager: textOf(entry, 'manager'),
    operation,
    apiVersion,
    subresource: textOf(entry, 'subresource'),
    time: typeof time === 'string' ? time : undefined,
    fields,
  };
}

function textOf(entry: JsonRecord, name: string): string {
  const value = memberOf(entry, name);
  return typeof value === 'string' ? value : '';
}
