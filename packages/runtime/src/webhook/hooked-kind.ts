/** The kinds that webhooks are for. */

import type { ApiObject, Resource } from '@listwatch/api';

/** A resource, or a kind of `defineKind`, which has one. */
export type HookedKind<T extends ApiObject = ApiObject> = Resource<T> | { readonly resource: Resource<T> };

/** The type of the objects of a kind. */
export type HookedObject<K> =
  K extends Resource<infer T> ? T : K extends { readonly resource: Resource<infer T> } ? T : never;

/** Throws a TypeError for what is no kind. */
export function resourceOf<T extends ApiObject>(kind: HookedKind<T>): Resource<T> {
  const found = typeof kind === 'object' && kind !== null && 'resource' in kind ? kind.resource : kind;
  if (typeof found === 'object' && found !== null && typeof found.plural === 'string') return found;
  throw new TypeError('a webhook needs a kind: a resource such as pods, or what defineKind gives');
}
