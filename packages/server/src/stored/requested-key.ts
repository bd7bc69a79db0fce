/** The keys under which objects are stored: `/registry/{storagePrefix}/{namespace}/{name}`. */

import { badRequest, checkPathSegment, notFound, quote, utf8Length } from '@listwatch/api';
import { MAX_KEY_BYTES } from '@listwatch/storage';
import type { ResourceCall } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { namespaceRoot } from './object-folder.ts';

/** Where an object is. */
export interface ObjectPlace {
  /** `''` for an object outside of namespaces. */
  readonly namespace: string;
  readonly name: string;
}

/** What the keys of a kind begin with; those of one namespace when one is given. Ends with a slash. */
export function keyPrefix(definition: ResourceDefinition, namespace = ''): string {
  return namespaceRoot(definition, definition.resource.namespaced ? namespace : '');
}

/** The key of an object. The namespace does not count for a kind that has none. */
export function objectKey(definition: ResourceDefinition, { namespace, name }: ObjectPlace): string {
  return `${keyPrefix(definition, namespace)}${name}`;
}

/** The place that a key stands for; undefined for the key of another kind. */
export function parseObjectKey(definition: ResourceDefinition, key: string): ObjectPlace | undefined {
  const prefix = keyPrefix(definition);
  if (!key.startsWith(prefix)) return undefined;
  const parts = key.slice(prefix.length).split('/');
  const wanted = definition.resource.namespaced ? 2 : 1;
  if (parts.length !== wanted || parts.includes('')) return undefined;
  return { namespace: parts.length === 2 ? (parts[0] ?? '') : '', name: parts.at(-1) ?? '' };
}

/** The key of the object that a request names. Throws the 400 for a name that none can have, the 404 for one too long. */
export function requestedKey({ definition, path }: Pick<ResourceCall, 'definition' | 'path'>): string {
  const { namespace, name } = path;
  if (name === '') throw badRequest('Name parameter required.');
  const complaints = checkPathSegment(name);
  if (complaints.length > 0) throw badRequest(`Name parameter invalid: ${quote(name)}: ${complaints.join(';')}`);
  const key = objectKey(definition, { namespace, name });
  if (!isStorableKey(key)) throw notFound(definition.resource, name);
  return key;
}

/** Could there be such a key, or one that begins so? An engine throws when it is asked for one that cannot be. */
export function isStorableKey(key: string): boolean {
  return !/[\0\p{Cs}]/u.test(key) && utf8Length(key) <= MAX_KEY_BYTES;
}
