/** LimitRanger: containers get the default amounts of the LimitRanges of their namespace; pods and claims keep to their bounds. */

import { forbidden, type Resource } from '@listwatch/api';
import { extended, type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { podQosClass } from '../usage/pod-qos.ts';
import { amountsOf, podAmounts } from '../usage/pod-resources.ts';
import type { AdmissionPlugin, ObjectReader } from './admission-plugin.ts';
import { limitComplaints } from './limit-check.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** The plugin, with the LimitRanges that it reads. It checks creations and resizes of Pods, and all writes of claims. */
export function limitRanger(ranges: ObjectReader): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    types: ['core/v1.Pod', 'core/v1.PersistentVolumeClaim'],
    subresources: ['resize'],
    mutate({ resource, object, old }) {
      if (resource.plural !== 'pods' || old !== undefined) return object;
      return rangesOf(ranges, object).reduce((pod, range) => withDefaults(pod, limitsOf(range)), object);
    },
    validate({ resource, object, old, subresource }) {
      const isLimited = subresource === 'resize' || resource.plural !== 'pods' || old === undefined;
      if (isLimited) requireLimits(ranges, resource, object);
    },
  };
}

/** Throws the 403 with all violations of one LimitRange. */
function requireLimits(ranges: ObjectReader, resource: Resource, object: KubeObject): void {
  if (object.metadata.deletionTimestamp !== undefined) return;
  const check = resource.plural === 'pods' ? podComplaints : claimComplaints;
  for (const range of rangesOf(ranges, object)) {
    const complaints = new Set(limitsOf(range).flatMap((limit) => check(object, limit)));
    const [first = ''] = complaints;
    const why = complaints.size > 1 ? `[${[...complaints].join(', ')}]` : first;
    if (complaints.size > 0) throw forbidden(resource, object.metadata.name ?? '', why);
  }
}

function rangesOf(ranges: ObjectReader, { metadata }: KubeObject): readonly KubeObject[] {
  return ranges.list(metadata.namespace ?? '');
}

function limitsOf(range: KubeObject): readonly JsonRecord[] {
  return recordsOf(recordOf(range['spec'])['limits']);
}

function withDefaults(pod: KubeObject, limits: readonly JsonRecord[]): KubeObject {
  const own = limits.filter(({ type }) => type === 'Container');
  const requests = Object.assign({}, ...own.map((limit) => recordOf(limit['defaultRequest'])));
  const most = Object.assign({}, ...own.map((limit) => recordOf(limit['default'])));
  const set: string[] = [];
  const complete = (container: JsonRecord, what: string): JsonRecord => {
    const resources = recordOf(container['resources']);
    const parts = { limits: recordOf(resources['limits']), requests: recordOf(resources['requests']) };
    const missing = {
      requests: Object.keys(requests).filter((name) => !Object.hasOwn(parts.requests, name)),
      limits: Object.keys(most).filter((name) => !Object.hasOwn(parts.limits, name)),
    };
    for (const [kind, names] of [
      ['request', missing.requests],
      ['limit', missing.limits],
    ] as const) {
      if (names.length > 0) set.push(`${names.toSorted().join(', ')} ${kind} for ${what} ${textOf(container['name'])}`);
    }
    if (missing.requests.length + missing.limits.length === 0) return container;
    const filled = {
      ...(missing.limits.length === 0 ? {} : { limits: { ...most, ...parts.limits } }),
      ...(missing.requests.length === 0 ? {} : { requests: { ...requests, ...parts.requests } }),
    };
    return extended(container, { resources: extended(resources, filled) });
  };
  const before = recordOf(pod['spec']);
  const containers = recordsOf(before['containers']).map((one) => complete(one, 'container'));
  const initContainers = recordsOf(before['initContainers']).map((one) => complete(one, 'init container'));
  if (set.length === 0) return pod;
  const spec = extended(before, { containers, ...(initContainers.length === 0 ? {} : { initContainers }) });
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${set.join('; ')}` };
  return extended(pod, {
    metadata: extended(pod.metadata, { annotations }),
    spec,
    status: extended(recordOf(pod['status']), { qosClass: podQosClass(spec) }),
  });
}

function podComplaints(pod: KubeObject, limit: JsonRecord): readonly string[] {
  const spec = recordOf(pod['spec']);
  if (limit['type'] === 'Pod') {
    return limitComplaints(limit, { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') });
  }
  if (limit['type'] !== 'Container') return [];
  return [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])].flatMap((container) =>
    limitComplaints(limit, { requests: amountsOf(container, 'requests'), limits: amountsOf(container, 'limits') }),
  );
}

function claimComplaints(claim: KubeObject, limit: JsonRecord): readonly string[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return [];
  const { maxLimitRequestRatio: _ratio, ...bounds } = limit;
  return limitComplaints(bounds, { requests: amountsOf(recordOf(claim['spec']), 'requests'), limits: undefined });
}
