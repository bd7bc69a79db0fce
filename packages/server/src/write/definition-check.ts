/** Checks that a kind takes new objects. */

import { forbidden } from '@listwatch/api';
import type { CommitGuard } from '@listwatch/storage';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { storedObject } from '../stored/stored-object.ts';
import type { HeldGuard } from './held-guard.ts';
import { endWithRequest } from './request-signal.ts';

const TERMINATING = 'create not allowed while custom resource definition is terminating';

/**
 * Throws the 403 while the definition of a custom kind is being deleted. Returns what was checked: the commit is guarded by it.
 * An object that came after the deletion of the others would stay in the store for ever. Built-in kinds stay, and have no guard.
 */
export function requireCreatable(context: VerbContext, call: ResourceCall): HeldGuard | undefined {
  const { resource, strategy } = call.definition;
  const refusal = strategy.refusesCreation?.();
  if (refusal !== undefined) throw forbidden(resource, call.path.name, refusal);
  const guard = context.definitionGuard?.(call.definition);
  return guard && { guard, renew: () => openDefinition(context, call, guard.key) };
}

/** The guard of a definition that has changed. Another one of the same name has other objects. */
async function openDefinition(
  { engine, definition: find }: VerbContext,
  { definition, request, path }: ResourceCall,
  key: string,
): Promise<CommitGuard> {
  const definitions = find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const { entry } = await engine.get(key, endWithRequest(engine, request));
  if (entry !== undefined && definitions !== undefined) {
    const { uid, deletionTimestamp } = storedObject(definitions, entry).metadata;
    if (uid === definition.custom?.uid && deletionTimestamp === undefined) return { key, revision: entry.modRevision };
  }
  throw forbidden(definition.resource, path.name, TERMINATING);
}
