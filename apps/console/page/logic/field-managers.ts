/** Which manager owns which fields of an object, and who made a version. */

import type { ManagedFieldsEntry } from '@listwatch/api';

/** One entry of managedFields, readable. */
export interface ManagerFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  readonly time: string | undefined;
  /** `spec.template.spec.containers[name="web"].image`, sorted as in the entry. */
  readonly paths: readonly string[];
}

/** The fields by manager. */
export function managerFields(entries: readonly ManagedFieldsEntry[] = []): readonly ManagerFields[] {
  return entries.map((entry) => ({
    manager: entry.manager ?? '',
    operation: entry.operation ?? '',
    subresource: entry.subresource ?? '',
    time: entry.time,
    paths: fieldPaths(entry.fieldsV1),
  }));
}

/** The leaves of a FieldsV1. */
export function fieldPaths(fields: unknown): readonly string[] {
  const paths: string[] = [];
  const walk = (node: unknown, path: string): void => {
    const members = Object.entries(typeof node === 'object' && node !== null ? node : {}).filter(
      ([name]) => name !== '.',
    );
    if (members.length === 0) {
      if (path !== '') paths.push(path);
      return;
    }
    for (const [name, below] of members) walk(below, joined(path, name));
  };
  walk(fields, '');
  return paths;
}

function joined(path: string, step: string): string {
  const value = step.slice(2);
  switch (step.slice(0, 2)) {
    case 'f:':
      return path === '' ? value : `${path}.${value}`;
    case 'k:':
      return `${path}[${value.replaceAll(/^\{|\}$/gu, '').replaceAll(/"([^"]+)":/gu, '$1=')}]`;
    case 'v:':
      return `${path}[=${value}]`;
    case 'i:':
      return `${path}[${value}]`;
    default:
      return `${path}.${step}`;
  }
}

/** Who made the second of two versions: the managers whose entries are new, gone or differ. */
export function changedBy(
  before: readonly ManagedFieldsEntry[] | undefined,
  after: readonly ManagedFieldsEntry[] | undefined,
): readonly string[] {
  const known = new Map((before ?? []).map((entry) => [entryKey(entry), entry]));
  const managers = new Set<string>();
  for (const entry of after ?? []) {
    const old = known.get(entryKey(entry));
    known.delete(entryKey(entry));
    const isSame = old?.time === entry.time && JSON.stringify(old?.fieldsV1) === JSON.stringify(entry.fieldsV1);
    if (!isSame) managers.add(entry.manager ?? '');
  }
  // An entry that lost its last field is gone; usually another manager took it, and is named already.
  if (managers.size === 0) for (const entry of known.values()) managers.add(entry.manager ?? '');
  return [...managers];
}

function entryKey({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string {
  return [manager, operation, subresource, apiVersion].join('\n');
}
