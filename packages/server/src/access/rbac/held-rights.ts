/** Compares the rules that a user wants to grant with those that it has. */

import { quote } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import type { GrantQuestion, GrantVerdict } from '../../contract/role-granting.ts';
import { goErrors } from '../go-errors.ts';
import { ANYTHING, type PolicyRule, policyRules } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';
import { goList, missingRules, ruleText } from './rule-coverage.ts';

const HELD: GrantVerdict = { type: 'held' };
const TOO_MANY = 'the rules have too many combinations to compare them with those of the user: split the role';

/** Everything: what an aggregated role could get. */
const EVERYTHING: readonly PolicyRule[] = policyRules([
  { verbs: [ANYTHING], apiGroups: [ANYTHING], resources: [ANYTHING] },
  { verbs: [ANYTHING], nonResourceURLs: [ANYTHING] },
]);

/** May the user grant this in the cluster, or in a namespace? */
export function judgeGrant(index: RbacIndex, user: UserInfo, namespace: string, wanted: GrantQuestion): GrantVerdict {
  const rules = wantedRules(index, wanted);
  if (rules === undefined) return { type: 'no-role' };
  const held = index.rules(user, namespace);
  const { rules: missing, isComplete } = missingRules(held.rules, rules);
  if (!isComplete) return { type: 'refused', why: TOO_MANY };
  if (missing.length === 0) return HELD;
  const lines = [...new Set(missing.map(ruleText))].toSorted(byBytes).join('\n');
  const unresolved = held.missing.length === 0 ? '' : `; resolution errors: [${goErrors(held.missing)}]`;
  const who = `user ${quote(user.name)} (groups=${goList(user.groups)})`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${unresolved}`;
  return { type: 'refused', why };
}

function wantedRules(index: RbacIndex, wanted: GrantQuestion): readonly PolicyRule[] | undefined {
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
