/** HorizontalPodAutoscaler of autoscaling/v2: how many pods a workload has, by metrics. */

import { defined, type JsonRecord, recordOf, recordsOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { PrepareChange } from '../../strategy/kind-definition.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { autoscalerTable } from './autoscaler-columns.ts';
import { DEFAULT_METRIC, toAutoscalerV1, toAutoscalerV2, withoutKept } from './autoscaler-conversion.ts';
import { validateAutoscaler } from './autoscaler-validation.ts';

/** The rules of HorizontalPodAutoscaler in autoscaling/v2. */
export const horizontalPodAutoscaler: KindRules = {
  columns: autoscalerTable((object) => object),
  keepEmpty: keepEmptyPolicies,
  applyDefaults,
  validate: (object) => validateAutoscaler(object),
  validateUpdate: (object, old) => validateAutoscaler(object, old),
  convert: (object) => applyDefaults(toAutoscalerV2(object)),
};

/** Converts an object of v1 to v2 and back, which rewrites the annotations with the fields that v1 lacks. */
const throughV2 = (change: PrepareChange): PrepareChange => {
  return (object, old, now) => toAutoscalerV1(change(toAutoscalerV2(object), toAutoscalerV2(old), now));
};

/** The rules of HorizontalPodAutoscaler in autoscaling/v1. */
export const horizontalPodAutoscalerV1: KindRules = {
  columns: autoscalerTable(toAutoscalerV2),
  applyDefaults: (object) => toAutoscalerV1(applyDefaults(toAutoscalerV2(object))),
  onCreate: (object, now) => throughV2(({ status: _status, ...rest }) => rest)(object, object, now),
  onUpdate: throughV2((object, old) => ({ ...object, status: old['status'] })),
  onStatusUpdate: throughV2((object, old) => ({ ...object, spec: old['spec'] })),
  validate: (object) => validateAutoscaler(toAutoscalerV2(object)),
  validateUpdate: (object, old) => validateAutoscaler(toAutoscalerV2(object), toAutoscalerV2(old)),
  convert: toAutoscalerV1,
};

/** Absent policies have defaults; an empty list of them is refused. */
function keepEmptyPolicies(object: KubeObject, { spec: sent }: KubeObject): KubeObject {
  const behavior = recordOf(recordOf(sent)['behavior']);
  const empty = ['scaleUp', 'scaleDown'].filter((way) => isEmptyList(recordOf(behavior[way])['policies']));
  if (empty.length === 0) return object;
  const spec = recordOf(object['spec']);
  const rules = recordOf(spec['behavior']);
  const kept = Object.fromEntries(empty.map((way) => [way, { ...recordOf(rules[way]), policies: [] }]));
  return { ...object, spec: { ...spec, behavior: { ...rules, ...kept } } };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const { behavior } = spec;
  const { scaleUp, scaleDown } = recordOf(behavior);
  return {
    ...object,
    metadata: withoutKept(object.metadata),
    spec: defined({
      ...spec,
      minReplicas: spec['minReplicas'] ?? 1,
      metrics: recordsOf(spec['metrics']).length === 0 ? [DEFAULT_METRIC] : spec['metrics'],
      behavior:
        behavior === undefined
          ? undefined
          : { scaleUp: { ...SCALE_UP, ...recordOf(scaleUp) }, scaleDown: { ...SCALE_DOWN, ...recordOf(scaleDown) } },
    }),
  };
}

const EVERY = { periodSeconds: 15 };
const DOUBLE = { type: 'Percent', value: 100, ...EVERY };

const SCALE_UP: JsonRecord = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: 4, ...EVERY }, DOUBLE],
};

const SCALE_DOWN: JsonRecord = { selectPolicy: 'Max', policies: [DOUBLE] };
