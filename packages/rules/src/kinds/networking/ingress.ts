/** Ingress: routes external requests to Services. */

import type { FieldError } from '@listwatch/api';
import { listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { validateClassAnnotation, validateIngress, validateIngressStatus } from './ingress-validation.ts';

/** The rules of Ingress. */
export const ingress: KindRules = {
  columns: namedTable(
    [
      column('Class', 'The class of the controller that serves it.'),
      column('Hosts', 'The hosts of its rules.'),
      column('Address', 'Where it is reached.'),
      column('Ports', 'The ports that it listens on.'),
    ],
    cells,
  ),
  validate: (object) => [...validateAll(object), ...validateClassAnnotation(object)],
  validateUpdate: validateAll,
};

function validateAll(object: KubeObject): readonly FieldError[] {
  return [...validateIngress(object), ...validateIngressStatus(object)];
}

function cells({ spec, status }: KubeObject): readonly unknown[] {
  const { ingressClassName, rules, tls } = recordOf(spec);
  return [
    typeof ingressClassName === 'string' ? ingressClassName : '<none>',
    hostsCell(recordsOf(rules).map(({ host }) => textOf(host))),
    addressCell(recordOf(recordOf(status)['loadBalancer'])['ingress']),
    listOf(tls).length > 0 ? '80, 443' : '80',
  ];
}

const HOSTS_SHOWN = 3;

function hostsCell(rules: readonly string[]): string {
  const hosts: string[] = [];
  let more = false;
  for (const host of rules) {
    if (hosts.length === HOSTS_SHOWN) more = true;
    if (!more && host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - HOSTS_SHOWN} more...` : hosts.join(',');
}

function addressCell(points: unknown): string {
  const addresses = recordsOf(points).map(({ ip, hostname }) => textOf(ip) || textOf(hostname));
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted().join(',');
}
