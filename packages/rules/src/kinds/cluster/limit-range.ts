/** LimitRange: limits and defaults for the resources of pods, containers and claims. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { DEFAULT_TABLE } from '../../columns/table-column.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateContainerResource, validateResourceName } from '../../validation/resource-names.ts';
import { validateLimitAmounts } from './limit-amounts.ts';

type Errors = readonly FieldError[];

/** The rules of LimitRange. */
export const limitRange: KindRules = {
  columns: DEFAULT_TABLE,
  // A LimitRange without a name gets its uid as name.
  onCreate: (object) => {
    const { name, uid = '' } = object.metadata;
    return name ? object : { ...object, metadata: { ...object.metadata, name: uid } };
  },
  applyDefaults: (object) => {
    const spec = recordOf(object['spec']);
    const limits = recordsOf(spec['limits']);
    return limits.length === 0 ? object : { ...object, spec: { ...spec, limits: limits.map(defaultLimit) } };
  },
  validate: (object) => {
    const seen = new Set<string>();
    return itemErrors(recordsOf(recordOf(object['spec'])['limits']), (limit, index) => {
      const type = textOf(limit['type']);
      const field = `spec.limits[${index}]`;
      const amounts = validateLimit(limit, type, field);
      const twice = seen.has(type);
      seen.add(type);
      return [
        ...validateType(type, `${field}.type`),
        ...(twice ? [fieldDuplicate(`${field}.type`, type)] : []),
        ...amounts,
      ];
    });
  },
  strategy: { allowsCreateOnUpdate: true },
};

/** For containers, the default limit defaults to `max`, and the default request to the default limit, then to `min`. */
function defaultLimit(limit: JsonRecord): JsonRecord {
  if (limit['type'] !== 'Container') return limit;
  const limits = { ...recordOf(limit['max']), ...recordOf(limit['default']) };
  const requests = { ...recordOf(limit['min']), ...limits, ...recordOf(limit['defaultRequest']) };
  return { ...limit, default: limits, defaultRequest: requests };
}

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

function validateType(type: string, field: string): Errors {
  const complaints = checkQualifiedName(type);
  if (complaints.length > 0) return complaints.map((complaint) => fieldInvalid(field, type, complaint));
  if (type.includes('/') || TYPES.includes(type)) return [];
  return [fieldInvalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateLimit(limit: JsonRecord, type: string, field: string): Errors {
  const forPods = type === 'Pod';
  const check = forPods || type === 'Container' ? validateContainerResource : validateResourceName;
  const names = (name: string): Errors =>
    itemErrors(Object.keys(recordOf(limit[name])), (key) => check(key, `${field}.${name}[${key}]`));
  const defaults = ['default', 'defaultRequest'].flatMap((name) => {
    if (!forPods) return names(name);
    if (Object.keys(recordOf(limit[name])).length === 0) return [];
    return [fieldForbidden(`${field}.${name}`, "may not be specified when `type` is 'Pod'")];
  });
  return [
    ...names('max'),
    ...names('min'),
    ...defaults,
    ...(type === 'PersistentVolumeClaim' ? validateStorage(limit, field) : []),
    ...names('maxLimitRequestRatio'),
    ...validateLimitAmounts(forPods ? { ...limit, default: {}, defaultRequest: {} } : limit, field),
  ];
}

function validateStorage(limit: JsonRecord, field: string): Errors {
  const { min, max } = limit;
  if (recordOf(min)['storage'] !== undefined || recordOf(max)['storage'] !== undefined) return [];
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return [fieldRequired(`${field}.limits`, why)];
}
