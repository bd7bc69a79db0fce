/** `pods/{name}/resize`: other amounts of CPU and memory for a Pod that runs, and for its containers. */

import { type FieldError, fieldForbidden, fieldInvalid } from '@listwatch/api';
import { defined, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { SubresourceRules } from '../../strategy/kind-rules.ts';
import { podQosClass } from '../../usage/pod-qos.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validatePodSpec } from './pod-validation.ts';

type Errors = readonly FieldError[];
type Amounts = 'limits' | 'requests';

const LISTS = ['containers', 'initContainers'] as const;
const AMOUNTS: readonly Amounts[] = ['requests', 'limits'];
const MUTABLE = ['cpu', 'memory'];
const MIRROR = 'kubernetes.io/config.mirror';

/** Changes the resources of the pod and of its containers; ignores all other changes. */
export const podResize: SubresourceRules = {
  onUpdate: (object, old) => {
    const spec = recordOf(object['spec']);
    const kept = recordOf(old['spec']);
    // Validation refuses added or removed containers.
    if (LISTS.some((name) => recordsOf(spec[name]).length !== recordsOf(kept[name]).length)) return object;
    const lists = LISTS.map((name) => [name, resized(spec[name], kept[name])] as const);
    return { ...old, spec: defined({ ...kept, resources: spec['resources'], ...Object.fromEntries(lists) }) };
  },
  validateUpdate: validateResize,
  raisesGeneration: true,
};

function resized(value: unknown, old: unknown): unknown {
  const sent = recordsOf(value);
  const had = recordsOf(old);
  if (sent.length === 0 || sent.some(({ name }, index) => name !== had[index]?.['name'])) return value;
  return had.map((container, index) => {
    const { resources, resizePolicy } = recordOf(sent[index]);
    return defined({ ...container, resources, resizePolicy });
  });
}

function validateResize(object: KubeObject, old: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const kept = recordOf(old['spec']);
  if (old.metadata.annotations?.[MIRROR] !== undefined) return [fieldForbidden('', 'static pods cannot be resized')];
  if (recordOf(kept['os'])['name'] === 'windows') return [fieldForbidden('', 'windows pods cannot be resized')];
  const errors = [
    ...validatePodSpec(spec, 'spec', object.metadata.name),
    ...validateClass(spec, old),
    ...validateSupport(old),
    ...validatePodAmounts(spec['resources'], kept['resources']),
  ];
  const order = LISTS.flatMap((name) => validateOrder(spec, kept, name));
  if (order.length > 0) return [...errors, ...order];
  const changes = [
    ...errors,
    ...validateRemoved(spec, kept, 'initContainers'),
    ...validateRemoved(spec, kept, 'containers'),
    ...itemErrors(recordsOf(spec['containers']), (container, index) =>
      sameButAmounts(container, recordsOf(kept['containers'])[index])
        ? []
        : [fieldForbidden('spec', 'only cpu and memory resources are mutable')],
    ),
    ...validateInitContainers(spec, kept),
  ];
  if (changes.length > 0 || sameJson(comparable(spec), comparable(kept))) return changes;
  return [fieldForbidden('spec', 'only cpu and memory resources are mutable')];
}

function validateClass(spec: JsonRecord, old: KubeObject): Errors {
  const before = textOf(recordOf(old['status'])['qosClass']) || podQosClass(recordOf(old['spec']));
  if (podQosClass(spec) === before) return [];
  return [fieldInvalid('spec', before, 'Pod QOS Class may not change as a result of resizing')];
}

/** If the status of a running container has no resources, the kubelet does not support resize. */
function validateSupport(old: KubeObject): Errors {
  const running = recordsOf(recordOf(old['status'])['containerStatuses']).find(
    ({ state }) => recordOf(state)['running'] !== undefined,
  );
  if (running === undefined || running['resources'] !== undefined) return [];
  return [fieldForbidden('spec', 'Pod running on node without support for resize')];
}

function validatePodAmounts(value: unknown, old: unknown): Errors {
  if (!hasAmounts(value) && !hasAmounts(old)) return [];
  if (old !== undefined && value === undefined) {
    return [fieldForbidden('spec.resources', 'pod-level resources cannot be removed')];
  }
  const removed = AMOUNTS.filter((what) => old !== undefined && isRemoved(value, old, what)).map((what) =>
    fieldForbidden(`spec.resources.${what}`, `pod-level resource ${what} cannot be removed`),
  );
  const others = fixedAmounts(value);
  const isSame = old === undefined && isEmpty(others) ? true : sameJson(others, fixedAmounts(old));
  return isSame
    ? removed
    : [...removed, fieldForbidden('spec', 'only cpu and memory resources are mutable at pod-level')];
}

function hasAmounts(resources: unknown): boolean {
  return AMOUNTS.some((what) => !isEmpty(recordOf(recordOf(resources)[what])));
}

function isEmpty(record: JsonRecord): boolean {
  return Object.keys(record).length === 0;
}

function isRemoved(value: unknown, old: unknown, what: Amounts): boolean {
  const has = recordOf(recordOf(value)[what]);
  return Object.keys(recordOf(recordOf(old)[what])).some((name) => !Object.hasOwn(has, name));
}

function validateOrder(spec: JsonRecord, old: JsonRecord, list: (typeof LISTS)[number]): Errors {
  const now = recordsOf(spec[list]);
  const had = recordsOf(old[list]);
  if (now.length !== had.length) {
    return [fieldForbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return itemErrors(had, ({ name }, index) =>
    now[index]?.['name'] === name
      ? []
      : [fieldForbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

function validateRemoved(spec: JsonRecord, old: JsonRecord, list: (typeof LISTS)[number]): Errors {
  const now = recordsOf(spec[list]);
  return itemErrors(recordsOf(old[list]), ({ resources }, index) =>
    AMOUNTS.filter((what) => isRemoved(now[index]?.['resources'], resources, what)).map((what) =>
      fieldForbidden(`spec.${list}[${index}].resources.${what}`, `resource ${what} cannot be removed`),
    ),
  );
}

function validateInitContainers(spec: JsonRecord, old: JsonRecord): Errors {
  const had = recordsOf(old['initContainers']);
  return itemErrors(recordsOf(spec['initContainers']), (container, index) => {
    const field = `spec.initContainers[${index}]`;
    const isFixed = !sameJson(container, had[index]) && container['restartPolicy'] !== 'Always';
    const restarts = recordsOf(container['resizePolicy']).filter((one) => one['restartPolicy'] === 'RestartContainer');
    const why = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    return [
      ...(sameButAmounts(container, had[index])
        ? []
        : [fieldForbidden(field, 'only cpu and memory resources for init or sidecar containers are mutable')]),
      ...(isFixed ? restarts.map(() => fieldForbidden(field, why)) : []),
    ];
  });
}

function sameButAmounts(container: JsonRecord, old: JsonRecord | undefined): boolean {
  // kube-apiserver drops the claims of the new container only, so a container with claims cannot be resized.
  const { claims: _claims, ...resources } = fixedAmounts(container['resources']);
  const { resources: before, ...had } = recordOf(old);
  return sameJson({ ...container, resources }, { ...had, resources: fixedAmounts(before) });
}

/** The resources without the amounts that a resize may change. */
function fixedAmounts(resources: unknown): JsonRecord {
  const { requests, limits, ...rest } = recordOf(resources);
  const [fixedRequests, fixedLimits] = [fixedOf(requests), fixedOf(limits)];
  return {
    ...rest,
    ...(isEmpty(fixedRequests) ? {} : { requests: fixedRequests }),
    ...(isEmpty(fixedLimits) ? {} : { limits: fixedLimits }),
  };
}

function fixedOf(amounts: unknown): JsonRecord {
  return Object.fromEntries(Object.entries(recordOf(amounts)).filter(([name]) => !MUTABLE.includes(name)));
}

function comparable({
  resources: _resources,
  containers: _own,
  initContainers: _first,
  ...spec
}: JsonRecord): JsonRecord {
  return spec;
}
