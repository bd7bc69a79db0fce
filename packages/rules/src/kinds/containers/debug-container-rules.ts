/** The rules for ephemeral containers, which are added to a running pod for debugging. */

import { type FieldError, fieldDuplicate, fieldForbidden, fieldNotFound } from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { type Surroundings, validateContainer } from './container-validation.ts';

/** The fields that an ephemeral container must not set, in the order of the schema. */
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

/** Checks `ephemeralContainers` of the spec of a pod. */
export function validateDebugContainers(
  spec: JsonRecord,
  surroundings: Surroundings,
  field: string,
): readonly FieldError[] {
  const others = [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])];
  const targets = new Set(others.map(({ name }) => textOf(name)));
  const seen = new Set(targets);
  return itemErrors(recordsOf(spec['ephemeralContainers']), (container, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(container['name']);
    const target = textOf(container['targetContainerName']);
    const wrong = validateContainer({ ...container, ports: undefined }, surroundings, place);
    const wrongMounts = itemErrors(recordsOf(container['volumeMounts']), (mount, at) =>
      ['subPath', 'subPathExpr']
        .filter((path) => textOf(mount[path]) !== '')
        .map((path) => fieldForbidden(`${place}.volumeMounts[${at}].${path}`, NOT_FOR_DEBUGGING)),
    );
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...wrong,
      ...(twice ? [fieldDuplicate(`${place}.name`, name)] : []),
      ...(target === '' || targets.has(target) ? [] : [fieldNotFound(`${place}.targetContainerName`, target)]),
      ...FORBIDDEN.filter((forbidden) => !isEmpty(container[forbidden])).map((forbidden) =>
        fieldForbidden(`${place}.${forbidden}`, NOT_FOR_DEBUGGING),
      ),
      ...wrongMounts,
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
