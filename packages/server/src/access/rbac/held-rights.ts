/** Compares the rules that a user wants to grant with those that it has. */

import { quote } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import { justPause, LoopPace } from '../../contract/pause.ts';
import type { GrantQuestion, GrantVerdict } from '../../contract/role-granting.ts';
import { goErrors } from '../go-errors.ts';
import { ANYTHING, type PolicyRule, policyRules } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';
import { goList, RuleComparison, ruleText } from './rule-coverage.ts';

const HELD: GrantVerdict = { type: 'held' };
const TOO_MANY = 'the rules have too many combinations to compare them with those of the user: split the role';

/** Everything: what an aggregated role could get. */
const EVERYTHING: readonly PolicyRule[] = policyRules([
  { verbs: [ANYTHING], apiGroups: [ANYTHING], resources: [ANYTHING] },
  { verbs: [ANYTHING], nonResourceURLs: [ANYTHING] },
]);

/** May the user grant this in the cluster, or in a namespace? Lets others have the event loop meanwhile. */
export async function judgeGrant(
  index: RbacIndex,
  user: UserInfo,
  namespace: string,
  wanted: GrantQuestion,
): Promise<GrantVerdict> {
  if (wanted.type === 'nothing') return HELD;
  const rules = wantedRules(index, wanted);
  if (rules === undefined) return { type: 'no-role' };
  if (wanted.type === 'role' && index.holdsRole(user, namespace, wanted)) return HELD;
  const comparison = new RuleComparison({
    holds: (asked) => index.holds(user, namespace, asked),
    rules: () => index.roleRulesOf(user, namespace),
  });
  const { rules: missing, isComplete } = await comparison.compare(rules);
  if (!isComplete) return { type: 'refused', why: TOO_MANY };
  if (missing.length === 0) return HELD;
  const lines = [...(await textsOf(missing))].toSorted(byBytes).join('\n');
  const unknown = index.missing(user, namespace);
  const unresolved = unknown.length === 0 ? '' : `; resolution errors: [${goErrors(unknown)}]`;
  const who = `user ${quote(user.name)} (groups=${goList(user.groups)})`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${unresolved}`;
  return { type: 'refused', why };
}

/** There are up to 10 000. */
async function textsOf(rules: readonly PolicyRule[]): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const pace = new LoopPace(justPause);
  for (const rule of rules) {
    texts.add(ruleText(rule));
    await pace.step();
  }
  return texts;
}

function wantedRules(
  index: RbacIndex,
  wanted: Exclude<GrantQuestion, { type: 'nothing' }>,
): readonly PolicyRule[] | undefined {
  switch (wanted.type) {
    case 'rules':
      return policyRules(wanted.rules);
    case 'role':
      return index.roleRules(wanted.namespace, wanted.name);
    case 'everything':
      return EVERYTHING;
  }
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
