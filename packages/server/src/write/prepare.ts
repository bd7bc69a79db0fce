/** Prepares the object as its kind demands: clears or carries over what a client may not set. */

import { genericFailure } from '@listwatch/api';
import {
  type ResourceStrategy,
  type SubresourceStrategy,
  withManagedFields,
  withRequestor,
} from '@listwatch/rules/internal';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import type { Write } from './write.ts';

/** Throws the 404 for a subresource that cannot be written. */
export async function prepare(write: Write): Promise<undefined> {
  const { call, old, prepared: object, owners, store } = write;
  const { definition, path, request } = call;
  const { strategy } = definition;
  const now = store.clock.now();
  if (old === undefined) {
    const made = withRequestor(definition, strategy.prepareForCreate(object, now), request.user);
    write.prepared = withManagedFields(made, owners);
  } else write.prepared = preparationOf(strategy, path.subresource)(object, old, now);
  if (isLarge(write.bytes)) await nextTurn();
}

function preparationOf(strategy: ResourceStrategy, subresource: string): ResourceStrategy['prepareForUpdate'] {
  const prepareFor = {
    '': strategy.prepareForUpdate,
    status: strategy.prepareForStatusUpdate,
    finalize: strategy.prepareForFinalize,
  }[subresource];
  const found = prepareFor ?? subresourceOf(strategy, subresource)?.prepareForUpdate;
  if (found === undefined) throw genericFailure(404);
  return found;
}

/** A subresource that changes a part of the object; undefined for others. */
export function subresourceOf({ subresources = {} }: ResourceStrategy, name: string): SubresourceStrategy | undefined {
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
}
