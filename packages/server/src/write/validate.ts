/** Validates the object by the rules of its kind and, for a custom kind, by those of its definition. */

import { type FieldError, invalid } from '@listwatch/api';
import { finalizerWarnings, objectErrors } from '@listwatch/rules/internal';
import { subresourceOf } from './complete.ts';
import type { Write } from './write.ts';

/** Throws the 422 with all errors. Adds the warnings of the kind for legal but suspicious fields. */
export function validate(write: Write): undefined {
  const { call, old, object, warnings } = write;
  const { definition, path } = call;
  const { strategy } = definition;
  const judged = strategy.judge?.(object, old, path.subresource);
  if (judged !== undefined) warnings.push(...judged.warnings);
  const others = [...write.ownerErrors, ...kindErrors(write)];
  const errors = objectErrors(definition, { object, old, verdict: judged }, others);
  if (errors.length > 0) throw invalid(definition.reportedKind, object.metadata.name ?? '', errors);
  if (judged !== undefined) warnings.push(...finalizerWarnings(definition, object.metadata));
  if (path.subresource !== '') return;
  warnings.push(...(strategy.warnings?.(object, old) ?? []));
}

function kindErrors({ call: { definition, path }, object, old }: Write): readonly FieldError[] {
  const { strategy } = definition;
  if (old === undefined) return strategy.validate(object);
  const { validateUpdate = strategy.validateUpdate } = subresourceOf(strategy, path.subresource) ?? {};
  return validateUpdate(object, old);
}
