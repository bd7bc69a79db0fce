/** The rules for `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { childPath, keyPath } from '../error-path.ts';
import { recordAt, textAt, textsAt } from './definition-view.ts';

/** Which of the rules do not count. */
export interface ListTypeTolerance {
  readonly allowsAnySet: boolean;
  readonly allowsAnyKeys: boolean;
}

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_TYPE = 'x-kubernetes-map-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';

/** The errors in the list type of a schema. */
export function listTypeProblems(
  schema: JsonRecord,
  path: string,
  tolerance: ListTypeTolerance,
): readonly FieldError[] {
  const given = schema[LIST_TYPE];
  const listType = typeof given === 'string' ? given : undefined;
  const keys = textsAt(schema, LIST_KEYS);
  const errors: FieldError[] = [];
  if (listType !== undefined) {
    errors.push(...typeProblems(schema, listType, path, tolerance));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(fieldNotSupported(childPath(path, LIST_TYPE), listType, ['atomic', 'set', 'map']));
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = childPath(path, LIST_TYPE);
    errors.push(listType === undefined ? fieldRequired(place, detail) : fieldInvalid(place, listType, detail));
  }
  if (listType === 'map') errors.push(...mapListProblems(schema, keys, path));
  if (!tolerance.allowsAnyKeys) errors.push(...itemProblems(schema, path));
  return errors;
}

function typeProblems(
  schema: JsonRecord,
  listType: string,
  path: string,
  { allowsAnySet }: ListTypeTolerance,
): readonly FieldError[] {
  const type = textAt(schema, 'type');
  if (type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    const place = childPath(path, 'type');
    return [type === '' ? fieldRequired(place, detail) : fieldInvalid(place, type, detail)];
  }
  if (allowsAnySet || listType !== 'set' || !isLooseSet(schema)) return [];
  const items = recordAt(schema, 'items') ?? {};
  const word = textAt(items, 'type') === 'array' ? LIST_TYPE : MAP_TYPE;
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  // kube-apiserver shows the list type here, also where it validates the map type.
  return [fieldInvalid(childPath(childPath(path, 'items'), word), items[LIST_TYPE] ?? null, detail)];
}

/** Is it a set whose items are shared in part, so that two managers could make them equal? */
export function isLooseSet(schema: JsonRecord): boolean {
  const items = recordAt(schema, 'items');
  if (schema[LIST_TYPE] !== 'set' || items === undefined) return false;
  const type = textAt(items, 'type');
  if (type === 'array') return typeof items[LIST_TYPE] === 'string' && items[LIST_TYPE] !== 'atomic';
  return type === 'object' && items[MAP_TYPE] !== 'atomic';
}

function mapListProblems(schema: JsonRecord, keys: readonly string[], path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(fieldRequired(childPath(path, LIST_KEYS), 'must not be empty if x-kubernetes-list-type is map'));
  }
  const place = childPath(path, 'items');
  const items = recordAt(schema, 'items');
  if (items === undefined) {
    errors.push(
      Array.isArray(schema['items'])
        ? fieldInvalid(place, schema['items'], 'must only have a single schema if x-kubernetes-list-type is map')
        : fieldRequired(place, 'must have a schema if x-kubernetes-list-type is map'),
    );
    return errors;
  }
  const type = textAt(items, 'type');
  if (type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, fieldInvalid(childPath(place, 'type'), type, detail)];
  }
  return [...errors, ...keyProblems(items, keys, path)];
}

function keyProblems(items: JsonRecord, keys: readonly string[], path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const properties = recordAt(items, 'properties') ?? {};
  const seen = new Set<string>();
  for (const key of keys) {
    const property = Object.hasOwn(properties, key) ? recordAt(properties, key) : undefined;
    if (property === undefined) {
      errors.push(fieldInvalid(childPath(path, LIST_KEYS), keys, 'entries must all be names of item properties'));
    } else if (['array', 'object'].includes(textAt(property, 'type'))) {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fieldInvalid(childPath(propertyPath(path, key), 'type'), textAt(items, 'type'), detail));
    }
    if (seen.has(key)) {
      errors.push(fieldInvalid(childPath(path, LIST_KEYS), keys, 'must not contain duplicate entries'));
    }
    seen.add(key);
  }
  return errors;
}

/** Items of sets and map lists are never null, and each has all keys. */
export function itemProblems(schema: JsonRecord, path: string): readonly FieldError[] {
  const items = recordAt(schema, 'items');
  const listType = schema[LIST_TYPE];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items['nullable'] === true) {
    const place = childPath(childPath(path, 'items'), 'nullable');
    errors.push(fieldForbidden(place, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType === 'set') return errors;
  const required = new Set(textsAt(items, 'required'));
  const properties = recordAt(items, 'properties') ?? {};
  for (const key of textsAt(schema, LIST_KEYS)) {
    const property = Object.hasOwn(properties, key) ? recordAt(properties, key) : undefined;
    if (property === undefined) continue;
    const prefix = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!required.has(key) && (property['default'] ?? undefined) === undefined) {
      const detail = `${prefix} must have a default or be a required property`;
      errors.push(fieldRequired(childPath(propertyPath(path, key), 'default'), detail));
    }
    if (property['nullable'] === true) {
      errors.push(fieldForbidden(childPath(propertyPath(path, key), 'nullable'), `${prefix} cannot be nullable`));
    }
  }
  return errors;
}

function propertyPath(path: string, name: string): string {
  return keyPath(childPath(childPath(path, 'items'), 'properties'), name);
}
