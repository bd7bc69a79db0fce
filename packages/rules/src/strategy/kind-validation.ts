/** The validation of a built-in kind: its rules and warnings as the one callback of its strategy. */

import type { FieldError } from '@listwatch/api';
import { NO_FINDINGS } from '@listwatch/schema';
import type { KindWarnings } from '../kinds/warnings/kind-warnings.ts';
import type { ValidateObject } from './kind-definition.ts';
import type { KindRules, SubresourceRules } from './kind-rules.ts';

/** Warnings are looked for in valid objects only, and not in writes of a subresource. */
export function kindValidation(
  { validate = noErrors, validateUpdate = validate }: Pick<KindRules, 'validate' | 'validateUpdate'>,
  subresources: Readonly<Record<string, SubresourceRules>>,
  warningsOf: KindWarnings = noWarnings,
): ValidateObject {
  const updateRules = new Map(Object.entries(subresources).map(([name, own]) => [name, own.validateUpdate]));
  return (object, old, subresource, isRefused = false) => {
    const errors =
      old === undefined ? validate(object) : (updateRules.get(subresource) ?? validateUpdate)(object, old, subresource);
    if (errors.length > 0) return { errors, warnings: NO_FINDINGS.warnings };
    if (isRefused || subresource !== '') return NO_FINDINGS;
    const warnings = warningsOf(object, old);
    return warnings.length === 0 ? NO_FINDINGS : { errors: NO_FINDINGS.errors, warnings };
  };
}

function noErrors(): readonly FieldError[] {
  return NO_FINDINGS.errors;
}

function noWarnings(): readonly string[] {
  return NO_FINDINGS.warnings;
}
