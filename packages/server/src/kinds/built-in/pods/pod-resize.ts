/** `pods/{name}/resize`: other amounts of CPU and memory for the containers of a Pod that runs. */

import { type FieldError, fieldForbidden, fieldInvalid } from '@listwatch/api';
import { podQosClass } from '@listwatch/kinds/usage';
import { defined, type JsonRecord, recordOf, recordsOf, sameJson } from '../../json/json-value.ts';
import type { SubresourceRules } from '../../kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';

const LISTS = ['containers', 'initContainers'] as const;
const MUTABLE = ['cpu', 'memory'];

/** Changes the resources of containers; what else was sent is left out. */
export const podResize: SubresourceRules = {
  onUpdate: (object, old) => {
    const spec = recordOf(object['spec']);
    const kept = recordOf(old['spec']);
    const lists = LISTS.map((name) => [name, resized(spec[name], kept[name])] as const);
    return { ...old, spec: defined({ ...kept, ...Object.fromEntries(lists) }) };
  },
  validateUpdate: (object, old) => {
    const spec = recordOf(object['spec']);
    const kept = recordOf(old['spec']);
    return [...validateClass(spec, kept), ...validateRemoved(spec, kept), ...validateRest(spec, kept)];
  },
  raisesGeneration: true,
};

function resized(value: unknown, old: unknown): unknown {
  if (old === undefined) return undefined;
  const sent = new Map(recordsOf(value).map((container) => [container['name'], container]));
  return recordsOf(old).map((container) => {
    const now = sent.get(container['name']);
    return now === undefined
      ? container
      : { ...container, resources: now['resources'], resizePolicy: now['resizePolicy'] };
  });
}

function validateClass(spec: JsonRecord, old: JsonRecord): readonly FieldError[] {
  const before = podQosClass(old);
  if (podQosClass(spec) === before) return [];
  return [fieldInvalid('spec', before, 'Pod QOS Class may not change as a result of resizing')];
}

function validateRemoved(spec: JsonRecord, old: JsonRecord): readonly FieldError[] {
  return LISTS.flatMap((list) => {
    const now = recordsOf(spec[list]);
    return itemErrors(recordsOf(old[list]), (container, index) =>
      (['requests', 'limits'] as const).flatMap((what) => {
        const had = recordOf(recordOf(container['resources'])[what]);
        const has = recordOf(recordOf(recordOf(now[index])['resources'])[what]);
        const isRemoved = MUTABLE.some((name) => had[name] !== undefined && has[name] === undefined);
        const field = `spec.${list}[${index}].resources.${what}`;
        return isRemoved ? [fieldForbidden(field, `resource ${what} cannot be removed`)] : [];
      }),
    );
  });
}

/** All but the amounts of CPU and memory must be the same. */
function validateRest(spec: JsonRecord, old: JsonRecord): readonly FieldError[] {
  const isSame = LISTS.every((name) =>
    sameJson(recordsOf(spec[name]).map(withoutAmounts), recordsOf(old[name]).map(withoutAmounts)),
  );
  return isSame ? [] : [fieldForbidden('spec', 'only cpu and memory resources are mutable')];
}

function withoutAmounts(container: JsonRecord): JsonRecord {
  const { requests, limits, ...resources } = recordOf(container['resources']);
  const rest = [requests, limits].map((amounts) =>
    Object.fromEntries(Object.entries(recordOf(amounts)).filter(([name]) => !MUTABLE.includes(name))),
  );
  return { ...container, resources: [resources, ...rest] };
}
