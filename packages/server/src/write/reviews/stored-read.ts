/** Reads one stored object for an answer that is computed from it. */

import { badRequest, notFound } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { endWithRequest, type RequestSignal } from '../../stored/request-signal.ts';
import { isStorableKey, storedObjectKey } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';

/** The newest state of an object. Throws the 404 when there is none. */
export async function readStored(
  { store: { engine } }: Pick<VerbContext, 'store'>,
  request: RequestSignal,
  definition: ResourceDefinition,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<KubeObject> {
  if (name === '') throw badRequest('Name parameter required.');
  const key = storedObjectKey(definition, { namespace, name });
  if (!isStorableKey(key)) throw notFound(definition.resource, name);
  const { entry } = await engine.get(key, endWithRequest(engine, request));
  if (entry === undefined) throw notFound(definition.resource, name);
  return storedObject(definition, entry);
}
