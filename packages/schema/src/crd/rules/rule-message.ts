/** The message of a rule that is not fulfilled, when an expression makes it. */
import { CelError, type CelValue } from '@listwatch/cel';
import type { CompiledRule } from './compiled-rule.ts';
import { MESSAGE_BYTES_MAX, RULE_COST_MAX } from './rule-limits.ts';

/** The result of a message expression. */
export interface RuleMessage {
  /** `''` for nothing: the rule's own message is used. */
  readonly text: string;
  readonly cost: number;
  /** Work that the cost does not show. */
  readonly steps: number;
  /** It was too expensive: no further rules are evaluated, and `text` says so. */
  readonly isFatal: boolean;
}

const NONE: RuleMessage = { text: '', cost: 0, steps: 0, isFatal: false };
const OUT_OF_BUDGET =
  'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';

/** Evaluates the message expression of a rule with the rest of the budget. */
export function messageOf(
  { message, source }: CompiledRule,
  { self, oldSelf }: { readonly self: CelValue; readonly oldSelf: CelValue | undefined },
  budget: number,
): RuleMessage {
  if (message?.program === undefined) return NONE;
  const variables = oldSelf === undefined ? { self } : { self, oldSelf };
  const { result, cost, steps } = message.program.evaluate(variables, { cost: RULE_COST_MAX });
  if (cost > budget) return { text: OUT_OF_BUDGET, cost, steps, isFatal: true };
  if (result instanceof CelError && result.reason === 'cost') {
    const expression = JSON.stringify(source.messageExpression);
    const text = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`;
    return { text, cost, steps, isFatal: true };
  }
  const text = typeof result === 'string' ? result.trim() : '';
  return { text: isUsable(text) ? text : '', cost, steps, isFatal: false };
}

function isUsable(text: string): boolean {
  return !text.includes('\n') && new TextEncoder().encode(text).length <= MESSAGE_BYTES_MAX;
}
