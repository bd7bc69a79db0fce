/** The limits of the cost of rules, in the units of CEL, as in Kubernetes. */

/** One evaluation of a rule. */
export const RULE_COST_MAX = 1_000_000;

/** All evaluations for one object. */
export const OBJECT_COST_MAX = 10_000_000;

/** The work that CEL's cost does not show, of all evaluations for one object: about half a second, two with hostile patterns. */
export const OBJECT_STEPS_MAX = 20_000_000;

/** The estimate of one expression, times the number of its evaluations for one object. */
export const RULE_ESTIMATE_MAX = 10_000_000;

/** The estimates of all expressions of a schema. */
export const SCHEMA_ESTIMATE_MAX = 100_000_000;

/** The text that a message expression makes, in bytes. */
export const MESSAGE_BYTES_MAX: number = 5 * 1024;
