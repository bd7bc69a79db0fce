/** The metadata that servers send, checked against its type. Behind this nobody has to ask again what a field is. */

import type { ListMeta, ObjectMeta } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';

/** Members of unknown types. */
type Raw<T> = { [K in keyof T]?: unknown };

/** What a field must be; gives the place in it that is something else. */
type Check = (value: unknown) => string | undefined;

/**
 * Is this the metadata of an object? For hot paths: no loop over the fields, and only `true` is final. `null` counts as a fault
 * here; `requireObjectMeta` removes it.
 */
export function isObjectMeta(value: unknown): value is ObjectMeta {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is looked at with care
  const meta = value as Raw<ObjectMeta> | null | undefined;
  return (
    typeof meta?.name === 'string' &&
    isText(meta.namespace) &&
    isText(meta.uid) &&
    isText(meta.resourceVersion) &&
    isText(meta.creationTimestamp) &&
    isText(meta.deletionTimestamp) &&
    isText(meta.generateName) &&
    isCount(meta.generation) &&
    isCount(meta.deletionGracePeriodSeconds) &&
    (meta.labels === undefined || texts(meta.labels) === undefined) &&
    (meta.annotations === undefined || texts(meta.annotations) === undefined) &&
    (meta.finalizers === undefined || textList(meta.finalizers) === undefined) &&
    (meta.ownerReferences === undefined || owners(meta.ownerReferences) === undefined) &&
    (meta.managedFields === undefined || entries(meta.managedFields) === undefined)
  );
}

/**
 * Throws a TypeError that names the first field that is not what its type says, or the name that is missing. Removes fields that are
 * `null`: Go reads them as absent, and `deletionTimestamp: null` must not make an object one that is being deleted.
 */
export function requireObjectMeta(value: unknown, { isNamed = true }: { readonly isNamed?: boolean } = {}): void {
  if (!isRecord(value)) throw new TypeError('not an object with metadata and a name');
  requireFields('metadata', value, OBJECT_CHECKS);
  if (isNamed && typeof value['name'] !== 'string') throw new TypeError('not an object with metadata and a name');
}

/** The metadata of a list. Throws a TypeError as `requireObjectMeta` does. */
export function requireListMeta(value: unknown): asserts value is ListMeta {
  if (!isRecord(value)) throw new TypeError(`the metadata of the list is ${typeName(value)}`);
  requireFields('metadata', value, LIST_CHECKS);
}

function requireFields(
  where: string,
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
): void {
  for (const [name, check] of Object.entries(checks)) {
    if (value[name] === null) Reflect.deleteProperty(value, name);
    const field = value[name];
    const fault = field === undefined ? undefined : check(field);
    if (fault !== undefined) throw new TypeError(`${where}.${name}${fault}`);
  }
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return value === undefined || typeof value === 'number';
}

const text: Check = (value) => (typeof value === 'string' ? undefined : ` is ${typeName(value)}, not a string`);

const count: Check = (value) => (typeof value === 'number' ? undefined : ` is ${typeName(value)}, not a number`);

const texts: Check = (value) => {
  if (!isRecord(value)) return ` is ${typeName(value)}, not an object`;
  for (const key in value) {
    if (typeof value[key] !== 'string') return `[${JSON.stringify(key)}] is ${typeName(value[key])}, not a string`;
  }
  return undefined;
};

function listOf(value: unknown, item: Check): string | undefined {
  if (!Array.isArray(value)) return ` is ${typeName(value)}, not an array`;
  for (let index = 0; index < value.length; index += 1) {
    const fault = item(value[index]);
    if (fault !== undefined) return `[${index}]${fault}`;
  }
  return undefined;
}

const textList: Check = (value) => listOf(value, text);

const entry: Check = (value) => (isRecord(value) ? undefined : ` is ${typeName(value)}, not an object`);

const entries: Check = (value) => listOf(value, entry);

const OWNER_TEXTS = ['apiVersion', 'kind', 'name', 'uid'] as const;

const owner: Check = (value) => {
  if (!isRecord(value)) return entry(value);
  for (const name of OWNER_TEXTS) {
    const fault = text(value[name]);
    if (fault !== undefined) return `.${name}${fault}`;
  }
  return undefined;
};

const owners: Check = (value) => listOf(value, owner);

const OBJECT_CHECKS: Readonly<Record<keyof ObjectMeta, Check>> = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: count,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: count,
  labels: texts,
  annotations: texts,
  ownerReferences: owners,
  finalizers: textList,
  managedFields: entries,
};

const LIST_CHECKS: Readonly<Record<keyof ListMeta, Check>> = {
  resourceVersion: text,
  continue: text,
  remainingItemCount: count,
};

function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
