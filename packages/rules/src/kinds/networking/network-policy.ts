/** NetworkPolicy: which traffic pods may receive and send. */

import { extended, type JsonRecord, listOf, recordOf, recordsOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { selectorCell } from '../../validation/label-selector-rules.ts';
import { validateNetworkPolicy, validateNetworkPolicyChange } from './network-policy-validation.ts';

/** The rules of NetworkPolicy. */
export const networkPolicy: KindRules = {
  columns: namedTable([column('Pod-Selector', 'The pods that it is about.')], (object) => [
    selectorCell(recordOf(object['spec'])['podSelector']),
  ]),
  applyDefaults,
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicyChange,
};

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  return extended(object, {
    spec: extended(spec, {
      ...(spec['ingress'] === undefined ? {} : { ingress: withProtocols(spec['ingress']) }),
      ...(spec['egress'] === undefined ? {} : { egress: withProtocols(spec['egress']) }),
      policyTypes: listOf(spec['policyTypes']).length > 0 ? spec['policyTypes'] : typesOf(spec),
    }),
  });
}

function withProtocols(rules: unknown): unknown {
  return recordsOf(rules).map((rule) => {
    if (rule['ports'] === undefined) return rule;
    return extended(rule, { ports: recordsOf(rule['ports']).map((port) => filled({ protocol: 'TCP' }, port)) });
  });
}

function typesOf({ egress }: JsonRecord): readonly string[] {
  return listOf(egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}
