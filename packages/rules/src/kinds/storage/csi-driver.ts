/** CSIDriver: the features of Kubernetes that a storage driver needs. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import {
  extended,
  isJsonNumber,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const flag = { type: 'boolean' };

/** The rules of CSIDriver. */
export const csiDriver: KindRules = {
  columns: namedTable(
    [
      column('AttachRequired', 'Whether volumes are attached to a node before they are mounted.', flag),
      column('PodInfoOnMount', 'Whether it is told about the pod when a volume is mounted.', flag),
      column('StorageCapacity', 'Whether the scheduler heeds the capacity that it reports.', flag),
      column('TokenRequests', 'The audiences of the tokens that it gets.'),
      column('RequiresRepublish', 'Whether it is called again from time to time.', flag),
      column('Modes', 'How long its volumes may live.'),
    ],
    (object) => cells(recordOf(object['spec'])),
  ),
  applyDefaults,
  validate: (object) => validateSpec(recordOf(object['spec'])),
  validateUpdate: (object, old) => {
    const spec = recordOf(object['spec']);
    const had = recordOf(old['spec']);
    return [
      ...validateSpec(spec),
      // kube-apiserver misspells this path.
      ...immutable('spec.attachedRequired', spec['attachRequired'], had['attachRequired']),
      ...immutable('spec.volumeLifecycleModes', spec['volumeLifecycleModes'], had['volumeLifecycleModes']),
    ];
  },
  onCreate: withoutGatedFields,
  onUpdate: (object, old) => countChanges(withoutGatedFields(object), old),
  strategy: { allowsUnconditionalUpdate: false },
};

/** Drops fields whose feature gate is off in Kubernetes. */
function withoutGatedFields(object: KubeObject): KubeObject {
  const { preventPodSchedulingIfMissing, ...spec } = recordOf(object['spec']);
  return preventPodSchedulingIfMissing === undefined ? object : { ...object, spec };
}

/** A new CSIDriver has no `metadata.generation`; the first change of the spec sets it. */
function countChanges(object: KubeObject, old: KubeObject): KubeObject {
  if (sameJson(object['spec'], old['spec'])) return object;
  const generation = (old.metadata.generation ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, generation } };
}

const DEFAULTS = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
};

function applyDefaults(object: KubeObject): KubeObject {
  const spec = filled(DEFAULTS, recordOf(object['spec']));
  const modes = listOf(spec['volumeLifecycleModes']);
  return extended(object, {
    spec: extended(spec, { volumeLifecycleModes: modes.length > 0 ? modes : ['Persistent'] }),
  });
}

const POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const MODES = ['Persistent', 'Ephemeral'];

function validateSpec(spec: JsonRecord): Errors {
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets } = spec;
  const requests = recordsOf(spec['tokenRequests']);
  return [
    ...(POLICIES.includes(textOf(fsGroupPolicy))
      ? []
      : [fieldNotSupported('spec.fsGroupPolicy', fsGroupPolicy, POLICIES)]),
    ...validateRequests(requests),
    ...itemErrors(listOf(spec['volumeLifecycleModes']).map(textOf), (mode) =>
      MODES.includes(mode) ? [] : [fieldNotSupported('spec.volumeLifecycleModes', mode, MODES)],
    ),
    ...(isJsonNumber(period) && period < 10
      ? [fieldInvalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds')]
      : []),
    ...(serviceAccountTokenInSecrets !== undefined && requests.length === 0
      ? [
          fieldInvalid(
            'spec.serviceAccountTokenInSecrets',
            serviceAccountTokenInSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

const SECONDS_MIN = 600;
const SECONDS_MAX = 2 ** 32;

function validateRequests(requests: readonly JsonRecord[]): Errors {
  const seen = new Set<string>();
  return itemErrors(requests, ({ audience, expirationSeconds }, index) => {
    const field = `spec.tokenRequests[${index}]`;
    if (seen.has(textOf(audience))) return [fieldDuplicate(`${field}.audience`, textOf(audience))];
    seen.add(textOf(audience));
    if (expirationSeconds === undefined) return [];
    const wrong = (detail: string): Errors => [fieldInvalid(`${field}.expirationSeconds`, expirationSeconds, detail)];
    if (numberOf(expirationSeconds) < SECONDS_MIN) return wrong('may not specify a duration less than 10 minutes');
    if (numberOf(expirationSeconds) > SECONDS_MAX) return wrong('may not specify a duration larger than 2^32 seconds');
    return [];
  });
}

function cells(spec: JsonRecord): readonly unknown[] {
  const { attachRequired, podInfoOnMount, storageCapacity, tokenRequests, requiresRepublish } = spec;
  return [
    attachRequired !== false,
    podInfoOnMount === true,
    storageCapacity === true,
    tokenRequests === undefined
      ? '<unset>'
      : recordsOf(tokenRequests)
          .map(({ audience }) => textOf(audience))
          .join(','),
    requiresRepublish === true,
    listOf(spec['volumeLifecycleModes']).map(textOf).join(',') || '<none>',
  ];
}
