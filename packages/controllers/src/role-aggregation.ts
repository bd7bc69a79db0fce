/** Keeps the rules of ClusterRoles that are made of others: `admin`, `edit` and `view`, and whatever has an `aggregationRule`. */

import {
  type ApiObject,
  isNotFound,
  type LabelSelectorSpec,
  labelSelector,
  type Resource,
  resource,
} from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import type { BuiltInController } from './built-in-controller.ts';
import { runController } from './run-controller.ts';

const NAME = 'clusterrole-aggregation-controller';

interface ClusterRole extends ApiObject {
  readonly rules?: readonly object[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorSpec[] };
}

const clusterRoles: Resource<ClusterRole> = resource({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
});

/** Edits of others are undone: it applies the rules by force. */
export function roleAggregation(): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    run: (surroundings) =>
      runController<ClusterRole>(surroundings, {
        name: NAME,
        for: clusterRoles,
        watches: [
          {
            resource: clusterRoles,
            // Any role may be a part of any other one, by its labels before the change or after it.
            map: (_, { store }) =>
              [...store(clusterRoles).list()].filter(isAggregated).map(({ metadata: { name } }) => ({ name })),
          },
        ],
        reconcile: async ({ object }, { store }) => {
          if (object === undefined || !isAggregated(object)) return;
          const rules = unitedRules(object, store(clusterRoles).list());
          if (sameJson(rules, object.rules ?? [])) return;
          const { cluster, signal } = surroundings;
          const { name } = object.metadata;
          const applied = { metadata: { name }, ...(rules.length === 0 ? {} : { rules }) };
          try {
            await cluster.apply(clusterRoles, applied, { fieldManager: NAME, force: true, signal });
          } catch (error) {
            if (!isNotFound(error)) throw error;
          }
        },
      }),
  };
}

function isAggregated({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}

/** By selector, then by name, each rule once. */
function unitedRules({ metadata, aggregationRule }: ClusterRole, all: Iterable<ClusterRole>): readonly object[] {
  const others = [...all].filter((role) => role.metadata.name !== metadata.name).toSorted(byName);
  const rules: object[] = [];
  for (const parts of aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labelSelector(parts);
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) if (!rules.some((known) => sameJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

function byName({ metadata: { name: a } }: ClusterRole, { metadata: { name: b } }: ClusterRole): number {
  return a < b ? -1 : Number(a > b);
}
