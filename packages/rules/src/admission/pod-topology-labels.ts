/** PodTopologyLabels: a Pod gets the zone and the region of its node as labels, on creation or when it is bound. */

import { extended, recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { AdmissionPlugin, ObjectLookup } from './admission-plugin.ts';

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

/** The plugin, with the Nodes that it reads. */
export function podTopologyLabels(node: ObjectLookup): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    types: ['core/v1.Pod', 'core/v1.Binding'],
    mutate({ object, old }) {
      const name = old === undefined ? nodeOf(object) : '';
      const known = name === '' ? undefined : node('', name)?.metadata.labels;
      const copied = LABELS.flatMap((label) => (known?.[label] === undefined ? [] : [[label, known[label]]]));
      if (copied.length === 0) return object;
      const labels = { ...object.metadata.labels, ...Object.fromEntries(copied) };
      return extended(object, { metadata: extended(object.metadata, { labels }) });
    },
  };
}

function nodeOf({ kind, spec, target }: KubeObject): string {
  if (kind === 'Pod') return textOf(recordOf(spec)['nodeName']);
  const { kind: of, name } = recordOf(target);
  return of === 'Node' ? textOf(name) : '';
}
