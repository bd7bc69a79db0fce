/** VolumeAttributesClass: attributes of volumes that may be changed after they were made. */

import { type FieldError, fieldForbidden } from '@listwatch/api';
import { sameJson, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { protectedBy } from './storage-protection.ts';
import { validateParameters, validateProvisioner } from './storage-rules.ts';

/** The rules of VolumeAttributesClass. */
export const volumeAttributesClass: KindRules = {
  columns: namedTable([column('DriverName', 'The driver of the volumes.')], ({ driverName }) => [textOf(driverName)]),
  onCreate: protectedBy('kubernetes.io/vac-protection'),
  validate,
  validateUpdate: (object, old) => [
    ...['driverName', 'parameters'].flatMap((field) => unchanged(field, object, old)),
    ...validate(object),
  ],
};

function validate({ driverName, parameters }: KubeObject): readonly FieldError[] {
  return [...validateProvisioner(driverName, 'driverName'), ...validateParameters(parameters, true)];
}

function unchanged(field: string, object: KubeObject, old: KubeObject): readonly FieldError[] {
  return sameJson(object[field], old[field]) ? [] : [fieldForbidden(field, `updates to ${field} are forbidden.`)];
}
