/** HorizontalPodAutoscaler of autoscaling/v2: how many pods a workload has, by metrics. */

import { defined, type JsonRecord, recordOf, recordsOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules, ObjectChange } from '../../strategy/kind-rules.ts';
import { autoscalerTable } from './autoscaler-columns.ts';
import { DEFAULT_METRIC, toAutoscalerV1, toAutoscalerV2, withoutKept } from './autoscaler-conversion.ts';
import { validateAutoscaler } from './autoscaler-validation.ts';

/** The rules of HorizontalPodAutoscaler in autoscaling/v2. */
export const horizontalPodAutoscaler: KindRules = {
  columns: autoscalerTable((object) => object),
  applyDefaults,
  validate: (object) => validateAutoscaler(object),
  validateUpdate: (object, old) => validateAutoscaler(object, old),
  convert: (object) => applyDefaults(toAutoscalerV2(object)),
};

/** An object of v1 goes through v2 and back: the annotations that keep what v1 does not know are written anew. */
const throughV2 = (change: ObjectChange): ObjectChange => {
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
