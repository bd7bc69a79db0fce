/** How kube-apiserver names tags and operations: `flowcontrolApiserver_v1`, `listAppsV1NamespacedDeployment`. */

import type { KindData } from '@listwatch/kinds/data';

/** A group in the words of tags: `rbacAuthorization`. */
export function groupTag(group: string): string {
  const [first = '', ...rest] = (group === '' ? 'core' : group.replace(/\.k8s\.io$/u, '')).split('.');
  return [first, ...rest.map(capital)].join('');
}

/** A group in the words of operations: `RbacAuthorization`. */
export function groupWord(group: string): string {
  return capital(groupTag(group));
}

/** The same with a version: `RbacAuthorizationV1`. */
export function groupVersionWord({ group, version }: Pick<KindData, 'group' | 'version'>): string {
  return groupWord(group) + capital(version);
}

/** With a capital letter in front. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
