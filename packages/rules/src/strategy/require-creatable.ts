/** Refuses new objects of a kind that is being deleted. */

import { forbidden } from '@listwatch/api';
import type { KindDefinition } from './kind-definition.ts';

/** Throws the 403 while the definition of the kind is being deleted. */
export function requireCreatable({ resource, strategy }: KindDefinition, name: string): void {
  const refusal = strategy.refusesCreation?.();
  if (refusal !== undefined) throw forbidden(resource, name, refusal);
}
