/** Decides by its definition whether objects of a custom kind can be answered from a cache, and how. Pure: start here. */

import type { ApiObject, Resource } from '@listwatch/api';
import { isRecord, recordOf } from '@listwatch/api/values';
import { type DefinedKinds, definedKinds, type ReadKind } from '@listwatch/server/read';
import type { FollowedState } from './followed-object.ts';
import type { KindName } from './kind-name.ts';

export type CustomKindState =
  | { readonly type: 'served'; readonly kind: ReadKind; readonly resource: Resource; readonly schema: string }
  /** Its requests pass; why. */
  | { readonly type: 'passes'; readonly reason: string };

/** The version that is relayed: the one that was named, else the one that the upstream prefers. */
export function relayedVersion({ text, version }: KindName, definition: FollowedState): CustomKindState {
  if (definition.type === 'unknown') return passes(`its CustomResourceDefinition cannot be read: ${definition.error}`);
  if (definition.type === 'absent') return passes('there is no CustomResourceDefinition of this name');
  const defined = read(definition.object);
  if (defined === undefined) return passes('its CustomResourceDefinition cannot be understood');
  if (!defined.isServed) return passes('its CustomResourceDefinition is not established');
  const found = defined.versions.find(({ kind }) => kind.resource.version === (version ?? kind.resource.version));
  if (found === undefined) return passes(`${text} is not a version that is served`);
  // The warning belongs to every answer, and the relay has none.
  if (found.deprecation !== undefined) return passes(found.deprecation);
  const { resource } = found.kind;
  return { type: 'served', kind: found.kind, resource, schema: `${resource.version} ${defined.fingerprint}` };
}

/** A program of its own may answer for this group and version: its lists may depend on the user. */
export function unlessAggregated(state: CustomKindState, service: FollowedState): CustomKindState {
  if (state.type === 'passes' || service.type === 'absent') return state;
  if (service.type === 'unknown') return passes(`its APIService cannot be read: ${service.error}`);
  const { service: backend } = recordOf(recordOf(service.object)['spec']);
  return isRecord(backend) ? passes('another server answers for its group and version (APIService)') : state;
}

function read(object: ApiObject): DefinedKinds | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client has parsed an object with metadata
    return definedKinds(object as unknown as Parameters<typeof definedKinds>[0]);
  } catch {
    // What cannot be understood is passed on.
    return undefined;
  }
}

function passes(reason: string): CustomKindState {
  return { type: 'passes', reason };
}
