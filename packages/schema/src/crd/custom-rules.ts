/** The rules of a schema in CEL, `x-kubernetes-validations`: the functions that check and evaluate them are given from outside. */

import type { FieldError } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { Findings } from '../findings.ts';

/** The question when a definition is written. */
export interface RuleCheck {
  /** `openAPIV3Schema`. It is structural and its defaults are valid. */
  readonly schema: JsonRecord;
  /** Where it stands: `spec.validation.openAPIV3Schema`. */
  readonly field: string;
  /** The schemas with other faults, and those around them: their rules are not checked. */
  readonly faulty: ReadonlySet<JsonRecord>;
  /** The rules and message expressions that the stored definition has: they are compiled as stored ones. */
  readonly stored?: ReadonlySet<string>;
  /** The schema is that of the stored definition: an expression may cost more than the limit. */
  readonly isUnchanged?: boolean;
}

/** The question when an object is written. */
export interface RuleEvaluation {
  /** A schema within a definition. By its identity: compiled rules are kept for it as long as it lives. */
  readonly schema: JsonRecord;
  /** It is the schema of a whole object: `apiVersion`, `kind` and `metadata` are there without being declared. */
  readonly isRoot: boolean;
  readonly value: unknown;
  /** The value that is there now; `undefined` for a new one. */
  readonly old: unknown;
  /** Where the value stands: `''` for an object, `spec.validation.openAPIV3Schema.properties[a].default` for a default. */
  readonly field: string;
  /** Errors of values that equal their old ones become warnings. Default: true when there is an old value. */
  readonly ratchets?: boolean;
}

/** Checks and evaluates rules. One for the whole server. */
export interface CustomRules {
  /** The errors in the rules of a schema: they do not compile, or may cost too much. */
  readonly check: (request: RuleCheck) => readonly FieldError[];
  /** Evaluates all rules of a schema and of those within it. Errors of unchanged values are warnings. */
  readonly evaluate: (request: RuleEvaluation) => Findings;
}
