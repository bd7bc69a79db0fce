/** IPAddress: an allocated address, and the object that uses it. Its name is the address. */

import { type FieldError, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { checkCanonicalIp } from '../../validation/ip-rules.ts';
import { validateParentReference } from '../../validation/reference-rules.ts';

/** The rules of IPAddress. */
export const ipAddress: KindRules = {
  columns: {
    // Kubernetes prints a cell for the age, but declares no column for it.
    definitions: [NAME_COLUMN, column('ParentRef', 'The object that uses the address.')],
    cells: (object, now) => [nameCell(object), parentCell(recordOf(object['spec'])['parentRef']), ageCell(object, now)],
  },
  validate,
  validateUpdate: (object, old) => [...validate(object), ...immutable('spec.parentRef', shown(object), shown(old))],
  checkName: checkCanonicalIp,
};

function validate(object: KubeObject): readonly FieldError[] {
  const { parentRef } = recordOf(object['spec']);
  return isRecord(parentRef) ? validateParentReference(parentRef, 'spec.parentRef') : [fieldRequired('spec.parentRef')];
}

/** The parent with Go field names, as the message shows it. */
function shown(object: KubeObject): JsonRecord {
  const { group, resource, namespace, name } = recordOf(recordOf(object['spec'])['parentRef']);
  return { Group: textOf(group), Resource: textOf(resource), Namespace: textOf(namespace), Name: textOf(name) };
}

function parentCell(parent: unknown): string {
  if (!isRecord(parent)) return '<none>';
  const [group, resource, namespace, name] = ['group', 'resource', 'namespace', 'name'].map((key) =>
    textOf(parent[key]),
  );
  const type = `${resource}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return `${type}/${namespace === '' ? '' : `${namespace}/`}${name}`;
}
