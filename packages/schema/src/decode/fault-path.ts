/** Where a document has the value that `decodeProblem` speaks of: the words of Go's decoder leave out the items of lists. */

import { isRecord } from '@listwatch/api/values';
import type { DecodePlan } from './decode-plan.ts';
import { valueProblem } from './decode-problem.ts';

/** No deeper: each level looks through all that is below it, and schemas may contain themselves. */
const LEVELS_MAX = 64;

/** The path of the first value that does not fit: `spec.containers[1].ports`. `''`: the document itself, or none. */
export function faultPath(plan: DecodePlan, value: unknown): string {
  let path = '';
  let here: Part | undefined = { plan, value, name: '' };
  for (let level = 0; here !== undefined && level < LEVELS_MAX; level++) {
    path += here.name;
    here = partsOf(here).find((part) => valueProblem(part.plan, part.value, undefined) !== undefined);
  }
  return path.replace(/^\./u, '');
}

interface Part {
  readonly plan: DecodePlan;
  readonly value: unknown;
  /** As the path has it: `.spec`, `[1]`. */
  readonly name: string;
}

function partsOf({ plan, value }: Part): readonly Part[] {
  if (plan.is === 'list' && Array.isArray(value)) {
    return value.map((item, index) => ({ plan: plan.item, value: item, name: `[${index}]` }));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = plan.is === 'map' ? plan.item : plan.is === 'struct' ? plan.byName.get(key)?.plan : undefined;
    return below === undefined
      ? []
      : [{ plan: below, value: member, name: plan.is === 'map' ? `[${key}]` : `.${key}` }];
  });
}
