/** StorageClass: how volumes are provisioned for claims of the class. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { extended, type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateParameters, validateProvisioner } from './storage-rules.ts';

type Errors = readonly FieldError[];

/** The rules of StorageClass. */
export const storageClass: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Provisioner', 'The program that makes its volumes.'),
      column('ReclaimPolicy', 'What happens to a volume whose claim is deleted.'),
      column('VolumeBindingMode', 'When volumes are made and bound.'),
      column('AllowVolumeExpansion', 'Whether its volumes may grow.'),
      AGE_COLUMN,
    ],
    cells: (object, now) => [
      nameOf(object),
      textOf(object['provisioner']),
      textOf(object['reclaimPolicy']),
      textOf(object['volumeBindingMode']),
      object['allowVolumeExpansion'] === true,
      ageCell(object, now),
    ],
  },
  applyDefaults: (object) =>
    extended(object, filled({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }, object)),
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((field) =>
      immutable(field, object[field], old[field]),
    ),
  ],
};

const RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];

function validate(object: KubeObject): Errors {
  const policy = textOf(object['reclaimPolicy']);
  const mode = textOf(object['volumeBindingMode']);
  return [
    ...validateProvisioner(object['provisioner'], 'provisioner'),
    ...validateParameters(object['parameters'], false),
    ...(policy === '' || RECLAIM_POLICIES.includes(policy)
      ? []
      : [fieldNotSupported('reclaimPolicy', policy, RECLAIM_POLICIES)]),
    ...(BINDING_MODES.includes(mode) ? [] : [fieldNotSupported('volumeBindingMode', mode, BINDING_MODES)]),
    ...validateTopologies(recordsOf(object['allowedTopologies'])),
  ];
}

function validateTopologies(terms: readonly JsonRecord[]): Errors {
  // Kubernetes reports a term without expressions as a duplicate.
  const seen = new Set([identityOf([])]);
  return itemErrors(terms, ({ matchLabelExpressions }, index) => {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const expressions = recordsOf(matchLabelExpressions);
    const keys = new Set<string>();
    const errors = itemErrors(expressions, (expression, at) => {
      const key = textOf(expression['key']);
      const wrong = validateExpression(expression, `${field}[${at}]`);
      const twice = keys.has(key);
      keys.add(key);
      return twice ? [...wrong, fieldDuplicate(`${field}[${at}].key`, key)] : wrong;
    });
    const identity = identityOf(expressions);
    const again = seen.has(identity);
    seen.add(identity);
    return again ? [...errors, fieldDuplicate(field, '')] : errors;
  });
}

function validateExpression(expression: JsonRecord, field: string): Errors {
  const key = textOf(expression['key']);
  const values = listOf(expression['values']).map(textOf);
  const seen = new Set<string>();
  return [
    ...(values.length === 0 ? [fieldRequired(`${field}.values`)] : []),
    ...itemErrors(values, (value, index) => {
      if (seen.has(value)) return [fieldDuplicate(`${field}.values[${index}]`, value)];
      seen.add(value);
      return [];
    }),
    ...checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}.key`, key, complaint)),
  ];
}

/** Equal for terms with the same keys and values in any order. */
function identityOf(expressions: readonly JsonRecord[]): string {
  const sets = new Map(
    expressions.map(({ key, values }) => [textOf(key), [...new Set(listOf(values).map(textOf))].toSorted()]),
  );
  return JSON.stringify([...sets].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

function nameOf(object: KubeObject): string {
  const isDefault = DEFAULT_ANNOTATIONS.some((name) => object.metadata.annotations?.[name] === 'true');
  return isDefault ? `${nameCell(object)} (default)` : nameCell(object);
}
