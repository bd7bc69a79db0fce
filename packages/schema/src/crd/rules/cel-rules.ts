/** Rules of custom resources in CEL. */
import type { CustomRules } from '../custom-rules.ts';
import { ruleProblems } from './check-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';

/**
 * Checks and evaluates `x-kubernetes-validations` as kube-apiserver does. Rules are compiled when they are first needed, and kept
 * for as long as their schema lives.
 *
 * @example
 * const { errors } = validateObject(schema, object, { rules: celRules });
 */
export const celRules: CustomRules = { check: ruleProblems, evaluate: evaluateRules };
