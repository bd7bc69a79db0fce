/** One manager and what it owns. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import { compareByteOrder } from '../fields/byte-order.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { goJson } from '../fields/go-json.ts';

/** Who wrote, how and where. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** The version that the fields are in. */
  readonly apiVersion: string;
  /** Empty: the main endpoint. */
  readonly subresource: string;
}

/** An entry of managedFields, decoded. */
export interface ManagedEntry extends ManagerInfo {
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** What tells managers apart: an applier has one entry, whatever version it writes in. Kubernetes sorts by this text. */
export function managerIdentity({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const version = operation === 'Apply' ? '' : apiVersion;
  // Every create passes here: no arrays.
  const first = manager === '' ? '' : `"manager":${goJson(manager)},`;
  const third = version === '' ? '' : `,"apiVersion":${goJson(version)}`;
  const last = subresource === '' ? '' : `,"subresource":${goJson(subresource)}`;
  return `{${first}"operation":"${operation}"${third}${last}}`;
}

/** The entries by their identities. */
export type Managers = ReadonlyMap<string, ManagedEntry>;

/** The entries of managedFields, in their order. Undefined when there are none. */
export function printManagers(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareEntries).map(printEntry);
}

function printEntry(entry: ManagedEntry): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, fields } = entry;
  const fieldsV1 = fields.print();
  const printed: { -readonly [Name in keyof ManagedFieldsEntry]: ManagedFieldsEntry[Name] } =
    manager === '' ? { operation, apiVersion } : { manager, operation, apiVersion };
  if (time !== undefined) printed.time = time;
  printed.fieldsType = 'FieldsV1';
  printed.fieldsV1 = fieldsV1;
  if (subresource !== '') printed.subresource = subresource;
  return printed;
}

function compareEntries(left: ManagedEntry, right: ManagedEntry): number {
  return (
    compareByteOrder(left.operation, right.operation) ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareByteOrder(left.manager, right.manager) ||
    compareByteOrder(left.apiVersion, right.apiVersion) ||
    compareByteOrder(left.subresource, right.subresource)
  );
}

/** Whole seconds; an absent time is the first. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
