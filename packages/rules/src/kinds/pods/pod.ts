/** Pod: containers that run together on one node. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from '@listwatch/api';
import {
  defined,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { podQosClass } from '../../usage/pod-qos.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { withAppArmorFields } from './app-armor-annotations.ts';
import { imageSpaces, validatePodChange } from './pod-change.ts';
import { POD_COLUMNS } from './pod-columns.ts';
import { defaultPod } from './pod-defaults.ts';
import { validatePodSpec } from './pod-validation.ts';

/** The rules of Pod. */
export const pod: KindRules = {
  fieldsOf,
  resolveField: listedFields(
    [
      'metadata.name',
      'metadata.namespace',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
    { 'spec.host': 'spec.nodeName' },
  ),
  columns: POD_COLUMNS,
  applyDefaults: defaultPod,
  onCreate: (object) => ({ ...withAppArmorFields(object), status: newStatus(object) }),
  onUpdate: (object, old) => ({ ...object, status: old['status'] }),
  onStatusUpdate,
  validate: (object) => [...validateAll(object), ...validateNew(object)],
  validateUpdate: (object, old) => [...validatePodChange(object, old), ...validateAll(object)],
  strategy: {
    returnsDeletedObject: true,
    raisesGeneration: (object, old) => !sameJson(object['spec'], old['spec']),
    gracePeriodSeconds,
  },
};

function fieldsOf(object: KubeObject): Readonly<Record<string, string>> {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  return {
    'spec.nodeName': textOf(spec['nodeName']),
    'spec.restartPolicy': textOf(spec['restartPolicy']),
    'spec.schedulerName': textOf(spec['schedulerName']),
    'spec.serviceAccountName': textOf(spec['serviceAccountName']),
    'spec.hostNetwork': String(spec['hostNetwork'] === true),
    'status.phase': textOf(status['phase']),
    'status.podIP': textOf(status['podIP']),
    'status.nominatedNodeName': textOf(status['nominatedNodeName']),
  };
}

function newStatus(object: KubeObject): unknown {
  const spec = recordOf(object['spec']);
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
    lastTransitionTime: object.metadata.creationTimestamp,
  };
  return defined({
    phase: 'Pending',
    conditions: listOf(spec['schedulingGates']).length > 0 ? [gated] : undefined,
    qosClass: podQosClass(spec),
  });
}

function onStatusUpdate(object: KubeObject, old: KubeObject): KubeObject {
  const status = recordOf(object['status']);
  const { ownerReferences } = old.metadata;
  return {
    ...object,
    // Old kubelets dropped the owner references in status updates, and the garbage collector deleted the pods.
    metadata: { ...object.metadata, ownerReferences },
    spec: old['spec'],
    status: defined({
      ...status,
      // Its feature gate is off.
      nodeAllocatableResourceClaimStatuses: undefined,
      ...addresses(status),
      qosClass: status['qosClass'] ?? recordOf(old['status'])['qosClass'],
    }),
  };
}

/** Keeps the single IP and the first of the list equal: copies whichever is set. */
function addresses({ podIP, podIPs }: JsonRecord): JsonRecord {
  const first = textOf(recordOf(recordsOf(podIPs)[0])['ip']);
  const ip = textOf(podIP);
  if (ip !== '' && ip !== first) return { podIPs: [{ ip }] };
  return first === '' ? {} : { podIP: first };
}

const MIRROR = 'kubernetes.io/config.mirror';

/** The rules that new and changed pods share. */
function validateAll(object: KubeObject): readonly FieldError[] {
  return [...validateMirror(object), ...validatePodSpec(recordOf(object['spec']), 'spec', object.metadata.name)];
}

/** A mirror Pod shows what a kubelet runs already. */
function validateMirror({ metadata: { annotations }, spec }: KubeObject): readonly FieldError[] {
  const value = annotations?.[MIRROR];
  if (value === undefined || textOf(recordOf(spec)['nodeName']) !== '') return [];
  const why = 'must set spec.nodeName if mirror pod annotation is set';
  return [fieldInvalid(`metadata.annotations[${MIRROR}]`, value, why)];
}

function validateNew(object: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const errors: FieldError[] = [...imageSpaces(spec), ...volumesOfPods(spec)];
  if (listOf(spec['ephemeralContainers']).length > 0) {
    errors.push(fieldForbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (textOf(spec['nodeName']) !== '' && listOf(spec['schedulingGates']).length > 0) {
    errors.push(fieldForbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/** Checks fields that only templates may omit: the image of a volume, and the account of a projected token. */
function volumesOfPods(spec: JsonRecord): readonly FieldError[] {
  const hasAccount = textOf(spec['serviceAccountName']) !== '';
  return itemErrors(recordsOf(spec['volumes']), ({ image, projected }, index) => {
    const field = `spec.volumes[${index}]`;
    const hasNoImage = image !== undefined && textOf(recordOf(image)['reference']) === '';
    const why = 'must not be specified when serviceAccountName is not set';
    return [
      ...(hasNoImage ? [fieldRequired(`${field}.image.reference`)] : []),
      ...recordsOf(recordOf(projected)['sources']).flatMap(({ serviceAccountToken }, at) =>
        hasAccount || serviceAccountToken === undefined
          ? []
          : [fieldForbidden(`${field}.projected.sources[${at}].serviceAccountToken`, why)],
      ),
    ];
  });
}

/** The grace period: 0 for a pod that does not run, otherwise the requested one, or that of the spec. */
function gracePeriodSeconds(object: KubeObject, asked: number | undefined): number {
  const spec = recordOf(object['spec']);
  const phase = textOf(recordOf(object['status'])['phase']);
  if (textOf(spec['nodeName']) === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  const period = asked ?? numberOf(own);
  return period < 0 ? 1 : period;
}
