/** StatefulSet: pods with fixed names, each with storage of its own. */

import { checkDnsLabel, type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { defined, type JsonRecord, numberOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { labelName } from '../../validation/name-rules.ts';
import { named } from '../../validation/value-rules.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { defaultClaimSpec, validateClaimSpec } from '../storage/claim-spec.ts';
import { collisionsOnlyGrow, validateReplicaCounts } from './replica-counts.ts';
import { CONTAINER_COLUMNS, containerCells, validateTemplateAndSelector } from './workload-template.ts';

type Errors = readonly FieldError[];

const WORDS = { selectorOf: 'statefulset', unreadable: '', deadlineIn: 'StatefulSet' };

/** The rules of StatefulSet. */
export const statefulSet: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Ready', 'How many pods are ready, of how many.'),
      AGE_COLUMN,
      ...CONTAINER_COLUMNS,
    ],
    cells: (object, now) => {
      const spec = recordOf(object['spec']);
      const ready = numberOf(recordOf(object['status'])['readyReplicas']);
      return [
        nameCell(object),
        `${ready}/${numberOf(spec['replicas'])}`,
        ageCell(object, now),
        ...containerCells(spec['template']),
      ];
    },
  },
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  onCreate: ({ status: _status, ...object }) => withoutGated(object),
  onUpdate: (object, old) => ({ ...withoutGated(object, old), status: old['status'] }),
  validate: (object) => [
    ...validateAll(object),
    // Checked on creation only: these fields are immutable, and an update must not fail because of stored errors.
    ...named(recordOf(object['spec'])['serviceName'], checkDnsLabel, 'spec.serviceName'),
    ...itemErrors(recordsOf(recordOf(object['spec'])['volumeClaimTemplates']), (claim, index) =>
      validateClaimSpec(recordOf(claim['spec']), `spec.volumeClaimTemplates[${index}].spec`),
    ),
  ],
  validateUpdate: (object, old) => [
    ...validateAll(object),
    ...validateSpecChange(recordOf(object['spec']), recordOf(old['spec'])),
    ...collisionsOnlyGrow(object['status'], old['status']),
  ],
  checkName: labelName,
};

function validateAll(object: KubeObject): Errors {
  return [
    ...validateSpec(recordOf(object['spec'])),
    ...validateReplicaCounts(
      recordOf(object['status']),
      ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
      ['observedGeneration', 'collisionCount'],
      'status.readyReplicas',
    ),
  ];
}

function defaultSpec(spec: JsonRecord): JsonRecord {
  const { whenDeleted, whenScaled } = recordOf(spec['persistentVolumeClaimRetentionPolicy']);
  const claims = recordsOf(spec['volumeClaimTemplates']);
  return defined({
    ...spec,
    replicas: spec['replicas'] ?? 1,
    template: defaultPodTemplate(recordOf(spec['template'])),
    volumeClaimTemplates: claims.length === 0 ? undefined : claims.map(defaultClaim),
    podManagementPolicy: textOf(spec['podManagementPolicy']) || 'OrderedReady',
    updateStrategy: defaultStrategy(recordOf(spec['updateStrategy'])),
    revisionHistoryLimit: spec['revisionHistoryLimit'] ?? 10,
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: textOf(whenDeleted) || 'Retain',
      whenScaled: textOf(whenScaled) || 'Retain',
    },
  });
}

function defaultStrategy({ type, rollingUpdate }: JsonRecord): JsonRecord {
  const given = textOf(type);
  const rolling = given === '' ? recordOf(rollingUpdate) : rollingUpdate;
  const isRolling = given === '' || given === 'RollingUpdate';
  if (!isRolling || rolling === undefined) return defined({ type: given, rollingUpdate });
  return { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...recordOf(rolling) } };
}

function defaultClaim(claim: JsonRecord): JsonRecord {
  const status = recordOf(claim['status']);
  return {
    ...claim,
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    spec: defaultClaimSpec(recordOf(claim['spec'])),
    status: { ...status, phase: textOf(status['phase']) || 'Pending' },
  };
}

/** Without `maxUnavailable`, which needs a feature gate that is off, unless the old object has it. */
function withoutGated(object: KubeObject, old?: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const strategy = recordOf(spec['updateStrategy']);
  const { maxUnavailable, ...rollingUpdate } = recordOf(strategy['rollingUpdate']);
  const kept = recordOf(recordOf(recordOf(old?.['spec'])['updateStrategy'])['rollingUpdate'])['maxUnavailable'];
  if (maxUnavailable === undefined || kept !== undefined) return object;
  return { ...object, spec: { ...spec, updateStrategy: { ...strategy, rollingUpdate } } };
}

function validateSpec(spec: JsonRecord): Errors {
  const policy = recordOf(spec['persistentVolumeClaimRetentionPolicy']);
  return [
    ...validateManagement(textOf(spec['podManagementPolicy'])),
    ...validateStrategy(recordOf(spec['updateStrategy'])),
    ...['whenDeleted', 'whenScaled'].flatMap((name) => validateRetention(policy[name], name)),
    ...notNegative(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...notNegative(recordOf(spec['ordinals']), ['start'], 'spec.ordinals'),
    ...validateTemplateAndSelector({ ...spec, template: podTemplateOf(spec) }, WORDS),
  ];
}

/** The template as the controller uses it: with the volumes of the claims, without `hostname` and `subdomain`. */
function podTemplateOf(spec: JsonRecord): JsonRecord {
  const template = recordOf(spec['template']);
  const { hostname: _hostname, subdomain: _subdomain, ...podSpec } = recordOf(template['spec']);
  const templates = recordsOf(spec['volumeClaimTemplates']);
  // Two claim templates with the same name become one volume.
  const claims = new Set(templates.map((claim) => textOf(recordOf(claim['metadata'])['name'])));
  const own = recordsOf(podSpec['volumes']).filter(({ name }) => !claims.has(textOf(name)));
  const claimed = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes = [...claimed, ...own];
  return { ...template, spec: { ...podSpec, volumes } };
}

function validateManagement(policy: string): Errors {
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [fieldInvalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateRetention(value: unknown, name: string): Errors {
  const policies = ['Retain', 'Delete'];
  if (policies.includes(textOf(value))) return [];
  return [fieldNotSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, value, policies)];
}

function validateStrategy({ type, rollingUpdate }: JsonRecord): Errors {
  const field = 'spec.updateStrategy';
  const { partition, maxUnavailable } = recordOf(rollingUpdate);
  if (type === 'RollingUpdate') return notNegative(recordOf(rollingUpdate), ['partition'], `${field}.rollingUpdate`);
  const shown =
    rollingUpdate === undefined ? null : { Partition: numberOf(partition), MaxUnavailable: maxUnavailable ?? null };
  if (type !== 'OnDelete') {
    return [fieldInvalid(field, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (shown === null) return [];
  return [fieldInvalid(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")];
}

const MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function validateSpecChange(spec: JsonRecord, old: JsonRecord): Errors {
  const kept = Object.fromEntries(MUTABLE.map((name) => [name, old[name]]));
  if (sameJson(defined({ ...spec, ...kept }), old)) return [];
  const names = MUTABLE.slice(0, -1)
    .map((name) => `'${name}'`)
    .join(', ');
  const why = `updates to statefulset spec for fields other than ${names} and 'minReadySeconds' are forbidden`;
  return [fieldForbidden('spec', why)];
}
