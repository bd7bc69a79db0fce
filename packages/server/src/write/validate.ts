/** Validates the object by the rules of metadata and of its kind. */

import { invalid } from '@listwatch/api';
import { objectFindings } from '@listwatch/rules/internal';
import type { Write } from './write.ts';

/** Throws the 422 with all errors. The client gets the warnings in any case. */
export function validate({ call, object, old, ownerErrors, warnings }: Write): undefined {
  const { definition, path } = call;
  const found = objectFindings(definition, { object, old, subresource: path.subresource, ownerErrors });
  warnings.push(...found.warnings);
  if (found.errors.length > 0) throw invalid(definition.reportedKind, object.metadata.name ?? '', found.errors);
}
