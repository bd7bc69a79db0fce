/** Checks that a custom kind takes new objects. */

import { forbidden } from '@listwatch/api';
import type { Revision } from '@listwatch/storage';
import type { VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';

const TERMINATING = 'create not allowed while custom resource definition is terminating';

/** Throws the 403 while the definition of the kind is being deleted. */
export function requireCreatable({ resource, strategy }: ResourceDefinition, name: string): void {
  const refusal = strategy.refusesCreation?.();
  if (refusal !== undefined) throw forbidden(resource, name, refusal);
}

/**
 * The definition of a custom kind may have been deleted meanwhile, and its objects with it: one that came later would stay in
 * the store for ever. It is removed again, and the answer is that of a create which came later still.
 */
export async function requireStillServed(
  { engine, isServed }: VerbContext,
  definition: ResourceDefinition,
  { name, key, revision }: { readonly name: string; readonly key: string; readonly revision: Revision },
): Promise<void> {
  if (isServed === undefined || isServed(definition)) return;
  await engine.commit({ type: 'delete', key, expected: revision });
  throw forbidden(definition.resource, name, TERMINATING);
}
