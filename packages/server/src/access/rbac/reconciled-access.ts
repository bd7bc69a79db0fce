/** A default role or binding, and what is stored under its name: what is to be written? */

import { isRecord, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type PolicyRule, policyRules } from './policy-rule.ts';
import { missingRules } from './rule-coverage.ts';

/** What to do. `replace`: delete the stored object and create the wanted one. */
export type Reconciliation =
  | { readonly type: 'keep' }
  | { readonly type: 'replace' }
  | { readonly type: 'update'; readonly object: KubeObject };

const KEEP: Reconciliation = { type: 'keep' };
const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** Adds what is missing to a stored object and keeps what others have added, as kube-apiserver does at its start. */
export async function reconciledAccess(stored: KubeObject, wanted: KubeObject): Promise<Reconciliation> {
  const { annotations, labels } = stored.metadata;
  if (annotations?.[AUTO_UPDATE] === 'false') return KEEP;
  const isBinding = wanted['roleRef'] !== undefined;
  if (isBinding && !sameJson(stored['roleRef'], wanted['roleRef'])) return { type: 'replace' };
  const metadata = {
    ...stored.metadata,
    labels: { ...wanted.metadata.labels, ...labels },
    annotations: { ...wanted.metadata.annotations, ...annotations },
  };
  const changed = isBinding ? withSubjects(stored, wanted) : await withRules(stored, wanted);
  const object: KubeObject = { ...stored, ...changed, metadata };
  return sameJson(object, stored) ? KEEP : { type: 'update', object };
}

function withSubjects({ subjects }: KubeObject, wanted: KubeObject): JsonRecord {
  const known = recordsOf(subjects);
  const missing = recordsOf(wanted['subjects']).filter((subject) => !known.some((one) => isSame(one, subject)));
  return missing.length === 0 ? {} : { subjects: [...known, ...missing] };
}

function isSame(a: JsonRecord, b: JsonRecord): boolean {
  return ['kind', 'apiGroup', 'namespace', 'name'].every((field) => textOf(a[field]) === textOf(b[field]));
}

async function withRules(stored: KubeObject, wanted: KubeObject): Promise<JsonRecord> {
  const { rules: missing } = await missingRules(policyRules(stored['rules']), policyRules(wanted['rules']));
  const rules = missing.length === 0 ? {} : { rules: [...recordsOf(stored['rules']), ...missing.map(plainRule)] };
  if (!isRecord(wanted['aggregationRule'])) {
    // It would take rules from roles that it has nothing to do with.
    return isRecord(stored['aggregationRule']) ? { ...rules, aggregationRule: undefined } : rules;
  }
  const known = recordsOf(recordOf(stored['aggregationRule'])['clusterRoleSelectors']);
  const wantedSelectors = recordsOf(recordOf(wanted['aggregationRule'])['clusterRoleSelectors']);
  const selectors = wantedSelectors.filter((selector) => !known.some((one) => sameJson(one, selector)));
  if (selectors.length === 0) return rules;
  return { ...rules, aggregationRule: { clusterRoleSelectors: [...known, ...selectors] } };
}

/** A rule without its empty lists. */
function plainRule(rule: PolicyRule): JsonRecord {
  return Object.fromEntries(Object.entries(rule).filter(([, values]) => values.length > 0));
}
