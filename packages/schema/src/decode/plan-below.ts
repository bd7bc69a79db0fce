/** Follows a document into the plan of its type. */

import type { DecodePlan } from './decode-plan.ts';

/** The plan of a member of an object, or of an item of a list; undefined where the schema knows none. */
export function planBelow(plan: DecodePlan, at: number | string, isObject: boolean): DecodePlan | undefined {
  switch (plan.is) {
    case 'scalar':
      return undefined;
    case 'form': {
      const branch = isObject ? plan.branches.struct : plan.branches.list;
      return branch && planBelow(branch, at, isObject);
    }
    case 'list':
      return isObject ? undefined : plan.item;
    case 'map':
      return isObject ? plan.item : undefined;
    case 'struct':
      return isObject ? plan.byName.get(String(at))?.plan : undefined;
  }
}
