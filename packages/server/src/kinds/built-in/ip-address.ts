/** IPAddress: an address that is in use, and by which object. Its name is the address. */

import { type FieldError, fieldRequired } from '@listwatch/api';
import { immutable } from '../immutable-field.ts';
import { checkCanonicalIp } from '../ip-rules.ts';
import type { KindRules } from '../kind-rules.ts';
import { validateParentReference } from '../reference-rules.ts';
import type { KubeObject } from '../resource-definition.ts';
import { isRecord, recordOf, textOf } from '../shapes/json-value.ts';
import { column, namedTable } from '../table-column.ts';

/** The rules of IPAddress. */
export const ipAddress: KindRules = {
  columns: namedTable([column('ParentRef', 'The object that uses the address.')], (object) => [
    parentCell(recordOf(object['spec'])['parentRef']),
  ]),
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable('spec.parentRef', recordOf(object['spec'])['parentRef'], recordOf(old['spec'])['parentRef']),
  ],
  checkName: checkCanonicalIp,
};

function validate(object: KubeObject): readonly FieldError[] {
  const { parentRef } = recordOf(object['spec']);
  return isRecord(parentRef) ? validateParentReference(parentRef, 'spec.parentRef') : [fieldRequired('spec.parentRef')];
}

function parentCell(parent: unknown): string {
  if (!isRecord(parent)) return '<none>';
  const [group, resource, namespace, name] = ['group', 'resource', 'namespace', 'name'].map((key) =>
    textOf(parent[key]),
  );
  const type = `${resource}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return `${type}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}
