/** The keys under which objects are stored: `/registry/{storagePrefix}/{namespace}/{name}`. */

import { badRequest, checkPathSegment, notFound, quote, utf8Length } from '@listwatch/api';
import { MAX_KEY_BYTES } from '@listwatch/storage';
import type { ReadCall } from '../contract/verb.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import { namespaceRoot } from './object-folder.ts';

/** The namespace and name of an object. */
export interface ObjectPlace {
  /** `''` for an object outside of namespaces. */
  readonly namespace: string;
  readonly name: string;
}

/** The prefix of a kind's keys, or of its keys in one namespace. Ends with a slash. */
export function keyPrefix(definition: ReadKind, namespace = ''): string {
  return namespaceRoot(definition, definition.resource.namespaced ? namespace : '');
}

/** The key of an object. Cluster-scoped kinds ignore the namespace. */
export function storedObjectKey(definition: ReadKind, { namespace, name }: ObjectPlace): string {
  return `${keyPrefix(definition, namespace)}${name}`;
}

/** The namespace and name in a key; undefined for a key of another kind. */
export function parseObjectKey(definition: ReadKind, key: string): ObjectPlace | undefined {
  const prefix = keyPrefix(definition);
  if (!key.startsWith(prefix)) return undefined;
  const parts = key.slice(prefix.length).split('/');
  const wanted = definition.resource.namespaced ? 2 : 1;
  if (parts.length !== wanted || parts.includes('')) return undefined;
  return { namespace: parts.length === 2 ? (parts[0] ?? '') : '', name: parts.at(-1) ?? '' };
}

/** The key of the object that a request names. Throws the 400 for an illegal name, the 404 for a name that is too long. */
export function requestedKey({ definition, path }: Pick<ReadCall, 'definition' | 'path'>): string {
  const { namespace, name } = path;
  if (name === '') throw badRequest('Name parameter required.');
  const complaints = checkPathSegment(name);
  if (complaints.length > 0) throw badRequest(`Name parameter invalid: ${quote(name)}: ${complaints.join(';')}`);
  const key = storedObjectKey(definition, { namespace, name });
  if (!isStorableKey(key)) throw notFound(definition.resource, name);
  return key;
}

/** Is it a legal key or prefix? Engines throw for illegal ones. */
export function isStorableKey(key: string): boolean {
  return !/[\0\p{Cs}]/u.test(key) && utf8Length(key) <= MAX_KEY_BYTES;
}
