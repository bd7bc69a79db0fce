/** Objects to apply, read from YAML or given as they are. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { yamlDocuments } from './yaml-documents.ts';

/** What can be applied: YAML or JSON text of any number of documents, one object, or several. */
export type ManifestSource = string | object | readonly object[];

/** An object that says what it is. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
  };
  readonly status?: unknown;
}

/** Reads manifests; a `List` stands for its items. Throws a `TypeError` that names the document and what it lacks. */
export async function readManifests(source: ManifestSource): Promise<readonly Manifest[]> {
  const values: readonly unknown[] =
    typeof source === 'string' ? await yamlDocuments(source) : Array.isArray(source) ? source : [source];
  return values.flatMap((value, index) => flatten(value, `object ${index + 1}`));
}

function flatten(value: unknown, where: string): readonly Manifest[] {
  if (!isRecord(value)) throw new TypeError(`${where} is no object but ${JSON.stringify(value)}`);
  const { items, kind } = value;
  if (kind === 'List' || (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))) {
    if (!Array.isArray(items)) throw new TypeError(`${where}, a List, has no items`);
    const each: readonly unknown[] = items;
    return each.flatMap((item, index) => flatten(item, `item ${index + 1} of ${where}`));
  }
  return [checked(value, where)];
}

function checked(value: JsonRecord, where: string): Manifest {
  const { apiVersion, kind, metadata } = value;
  if (!isText(kind)) throw new TypeError(`${where} has no kind`);
  if (!isText(apiVersion)) throw new TypeError(`${where}, a ${kind}, has no apiVersion`);
  const meta = isRecord(metadata) ? metadata : {};
  const { name, generateName, namespace, resourceVersion } = meta;
  if (!isText(name) && !isText(generateName)) throw new TypeError(`${where}, a ${kind}, has no metadata.name`);
  return {
    ...value,
    apiVersion,
    kind,
    metadata: {
      ...meta,
      ...(isText(name) ? { name } : {}),
      ...(isText(generateName) ? { generateName } : {}),
      ...(isText(namespace) ? { namespace } : {}),
      ...(isText(resourceVersion) ? { resourceVersion } : {}),
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
