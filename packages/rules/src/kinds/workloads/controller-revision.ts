/** ControllerRevision: a state that a controller has rolled out, kept for a rollback. */

import { type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isJsonNumber, isRecord, listOf, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { NOT_NEGATIVE } from '../../validation/count-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';

/** The rules of ControllerRevision. */
export const controllerRevision: KindRules = {
  columns: namedTable(
    [column('Controller', 'The workload whose state it is.'), column('Revision', 'The number of the state.')],
    (object) => [controllerCell(object), numberOf(object['revision'])],
  ),
  validate: (object) => [...validateRevision(object), ...validateData(object['data'])],
  validateUpdate: (object, old) => [...validateRevision(object), ...immutable('data', object['data'], old['data'])],
};

function validateRevision({ revision }: KubeObject): readonly FieldError[] {
  return isJsonNumber(revision) && revision < 0 ? [fieldInvalid('revision', revision, NOT_NEGATIVE)] : [];
}

function validateData(data: unknown): readonly FieldError[] {
  if (data === undefined || data === null) return [fieldRequired('data', 'data is mandatory')];
  return isRecord(data) ? [] : [fieldRequired('data', 'data must be a valid JSON object')];
}

function controllerCell(object: KubeObject): string {
  const owner = listOf(object.metadata['ownerReferences'])
    .map(recordOf)
    .find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const [group = '', version] = textOf(owner['apiVersion']).split('/');
  const kind = textOf(owner['kind']);
  return `${(version === undefined ? kind : `${kind}.${group}`).toLowerCase()}/${textOf(owner['name'])}`;
}
