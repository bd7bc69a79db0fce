/** The stored form of a custom kind whose versions differ in their apiVersion alone. */

import { isRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type CustomSchema, pruneObject, readCustomObject } from '@listwatch/schema';
import { decodeJson } from '../../stored/exact-json.ts';
import { ObjectLayout, type TypeMeta } from '../../stored/object-layout.ts';
import type { ShownObject, StoredForm } from '../../stored/stored-form.ts';

/** The versions of a kind, as forms use them. */
export interface FormVersions {
  readonly kind: string;
  readonly group: string;
  readonly storageVersion: string;
  /** The schemas of all versions, served or not: objects may be stored in any of them. */
  readonly schemas: ReadonlyMap<string, CustomSchema>;
}

/** The form of one version. */
export function customForm(version: string, versions: FormVersions): StoredForm {
  // Most versions are never used: create the layout on first use.
  let own: ObjectLayout | undefined;
  let stored: ObjectLayout | undefined;
  const isStorage = version === versions.storageVersion;
  return {
    show: (value) => {
      own ??= versionLayout(versions, version);
      return showValue(own, versions, version, value);
    },
    store: (value) => {
      if (isStorage) return value;
      stored ??= versionLayout(versions, versions.storageVersion);
      return stored.encode(relabelled(versions, versions.storageVersion, parseStored(value)));
    },
    isStorage,
  };
}

/** The object as an object of another version: fields that the other schema does not know are lost. */
export function relabelled(versions: FormVersions, version: string, object: KubeObject): KubeObject {
  return pruneObject(schemaOf(versions, version), { ...object, apiVersion: `${versions.group}/${version}` });
}

/** The object of a stored value by the schema of its own version: pruned, with defaults. */
export function readStoredVersion(
  versions: FormVersions,
  value: Uint8Array,
): { readonly version: string; readonly raw: KubeObject; readonly object: KubeObject } {
  const raw = parseStored(value);
  const version = versionIn(versions, raw.apiVersion);
  return { version, raw, object: readCustomObject(schemaOf(versions, version), raw) };
}

function showValue(layout: ObjectLayout, versions: FormVersions, version: string, value: Uint8Array): ShownObject {
  const { version: storedVersion, raw, object } = readStoredVersion(versions, value);
  const own = storedVersion === version ? object : { ...object, apiVersion: `${versions.group}/${version}` };
  const shown = own === object ? object : pruneObject(schemaOf(versions, version), own);
  const isStale = storedVersion !== versions.storageVersion || object !== raw || shown !== own;
  const isRewritten = shown !== raw;
  return { object: shown, value: isRewritten ? layout.encode(shown) : value, isRewritten, isStale };
}

/** Parses a stored value. Throws a SyntaxError for one that is no object. */
export function parseStored(value: Uint8Array): KubeObject {
  const object = decodeJson(value);
  if (!isKubeObject(object)) throw new SyntaxError('a stored value is not an object with metadata');
  return object;
}

/** The bytes of a version's objects. */
export function versionLayout({ group, kind }: FormVersions, version: string): ObjectLayout {
  const type: TypeMeta = { kind, apiVersion: `${group}/${version}` };
  return new ObjectLayout(type);
}

function versionIn({ group, schemas }: FormVersions, apiVersion: string): string {
  const version = apiVersion.slice(group.length + 1);
  if (apiVersion !== `${group}/${version}` || !schemas.has(version)) {
    throw new SyntaxError(`a stored object has the version ${apiVersion}, which its definition does not have`);
  }
  return version;
}

/** The schema of a version. */
export function schemaOf({ schemas }: FormVersions, version: string): CustomSchema {
  const schema = schemas.get(version);
  if (schema === undefined) throw new RangeError(`there is no version ${version}`);
  return schema;
}

function isKubeObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['apiVersion'] === 'string';
}
