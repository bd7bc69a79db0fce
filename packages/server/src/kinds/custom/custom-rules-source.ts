/** What checks and evaluates `x-kubernetes-validations`: one for all servers of a process. */

import type { CustomRules } from '@listwatch/schema';

/** Undefined: rules are neither checked nor evaluated. */
export const CUSTOM_RULES: CustomRules | undefined = undefined;
