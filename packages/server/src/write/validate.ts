/** Validates the object by the rules of its kind and, for a custom kind, by those of its definition. */

import { type FieldError, invalid } from '@listwatch/api';
import { resumableSteps } from '@listwatch/api/internal';
import { finalizerWarnings, objectErrors } from '@listwatch/rules/internal';
import { finishInTurns } from '@listwatch/schema';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { subresourceOf } from './prepare.ts';
import type { Write } from './write.ts';

/** Throws the 422 with all errors. Warns of what is legal but odd. */
export async function validate(write: Write): Promise<undefined> {
  const { call, old, object, warnings } = write;
  const { definition, path } = call;
  const { strategy } = definition;
  const inTurns = async <T>(work: () => T): Promise<T> =>
    isLarge(write.bytes) ? finishInTurns(resumableSteps(work), nextTurn) : work();
  const judged = strategy.judge && (await finishInTurns(strategy.judge(object, old, path.subresource), nextTurn));
  if (judged !== undefined) warnings.push(...judged.warnings);
  const found = await inTurns(() => kindErrors(write));
  const others = [...write.ownerErrors, ...found];
  const errors = await inTurns(() => objectErrors(definition, { object, old, verdict: judged }, others));
  if (errors.length > 0) throw invalid(definition.reportedKind, object.metadata.name ?? '', errors);
  if (judged !== undefined) warnings.push(...finalizerWarnings(definition, object.metadata));
  if (path.subresource !== '') return;
  warnings.push(...((await inTurns(() => strategy.warnings?.(object, old))) ?? []));
}

function kindErrors({ call: { definition, path }, object, old }: Write): readonly FieldError[] {
  const { strategy } = definition;
  if (old === undefined) return strategy.validate(object);
  const { validateUpdate = strategy.validateUpdate } = subresourceOf(strategy, path.subresource) ?? {};
  return validateUpdate(object, old);
}
