import type { Deployment } from '@listwatch/kinds';

export interface Row {
  readonly key: string;
  readonly cells: readonly [namespace: string, name: string, ready: string];
}

/** What the page shows of Deployments, in the order of their names. */
export function rowsOf(deployments: readonly Deployment[]): readonly Row[] {
  return deployments
    .map(({ metadata: { namespace = '', name }, spec, status }): Row => {
      const ready = `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1}`;
      return { key: `${namespace}/${name}`, cells: [namespace, name, ready] };
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
