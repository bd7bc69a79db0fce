/** `pods/{name}/ephemeralcontainers`: containers for debugging, which a Pod gets while it runs and keeps. */

import { type FieldError, fieldDuplicate, fieldForbidden, fieldNotFound } from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '../../json/json-value.ts';
import type { SubresourceRules } from '../../kind-rules.ts';
import type { KubeObject } from '../../resource-definition.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateContainer } from './container-validation.ts';
import { claimNames } from './pod-claim-rules.ts';

const FIELD = 'spec.ephemeralContainers';

/** What such a container may not have, in the order of its fields. */
const FORBIDDEN = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

const NOT_FOR_DEBUGGING = 'cannot be set for an Ephemeral Container';

/** Changes the ephemeral containers and nothing else. */
export const ephemeralContainers: SubresourceRules = {
  onUpdate: (object, old) => ({
    ...old,
    spec: { ...recordOf(old['spec']), ephemeralContainers: recordOf(object['spec'])['ephemeralContainers'] },
  }),
  validateUpdate: (object, old) => [...validateContainers(object), ...validateKept(object, old)],
  raisesGeneration: true,
};

function containersOf(object: KubeObject): readonly JsonRecord[] {
  return recordsOf(recordOf(object['spec'])['ephemeralContainers']);
}

function validateContainers(object: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const volumes = new Set(recordsOf(spec['volumes']).map(({ name }) => textOf(name)));
  const surroundings = { volumes, claims: claimNames(spec), hostUsers: spec['hostUsers'] !== false };
  const others = [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])];
  const targets = new Set(others.map(({ name }) => textOf(name)));
  const seen = new Set(targets);
  return itemErrors(containersOf(object), (container, index) => {
    const place = `${FIELD}[${index}]`;
    const name = textOf(container['name']);
    const target = textOf(container['targetContainerName']);
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...validateContainer({ ...container, ports: undefined }, surroundings, place),
      ...(twice ? [fieldDuplicate(`${place}.name`, name)] : []),
      ...(target === '' || targets.has(target) ? [] : [fieldNotFound(`${place}.targetContainerName`, target)]),
      ...FORBIDDEN.filter((field) => !isEmpty(container[field])).map((field) =>
        fieldForbidden(`${place}.${field}`, NOT_FOR_DEBUGGING),
      ),
      ...itemErrors(recordsOf(container['volumeMounts']), (mount, at) =>
        ['subPath', 'subPathExpr']
          .filter((path) => textOf(mount[path]) !== '')
          .map((path) => fieldForbidden(`${place}.volumeMounts[${at}].${path}`, NOT_FOR_DEBUGGING)),
      ),
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** What is there stays as it is: the kubelet cannot change or end it. */
function validateKept(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const current = new Map(containersOf(object).map((container) => [container['name'], container]));
  return itemErrors(containersOf(old), (container) => {
    const now = current.get(container['name']);
    if (now !== undefined && sameJson(now, container)) return [];
    const what = now === undefined ? 'removed' : 'changed';
    const name = JSON.stringify(container['name']);
    return [fieldForbidden(FIELD, `existing ephemeral containers ${name} may not be ${what}\n`)];
  });
}
