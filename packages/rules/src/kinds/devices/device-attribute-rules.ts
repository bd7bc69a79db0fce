/** The attributes of a device: one value each. */

import { type FieldError, fieldInvalid, fieldTooLong, utf8Length } from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { shownKey, validatePropertyName } from './device-property-names.ts';

type Errors = readonly FieldError[];

const VALUES = ['bool', 'int', 'string', 'version'];
const VALUE_MAX = 64;
const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const PRE_RELEASE = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-${PRE_RELEASE}(?:\.${PRE_RELEASE})*)?(?:\+${BUILD}(?:\.${BUILD})*)?$`,
);

/** Checks the attributes of a device at `field`. */
export function validateAttributes(attributes: JsonRecord, field: string): Errors {
  return itemErrors(Object.entries(attributes), ([name, attribute]) => [
    ...validatePropertyName(name, field),
    ...validateAttribute(recordOf(attribute), `${field}[${shownKey(name)}]`),
  ]);
}

function validateAttribute(attribute: JsonRecord, field: string): Errors {
  const set = VALUES.filter((name) => attribute[name] !== undefined);
  return [
    ...(attribute['string'] === undefined ? [] : validateLength(textOf(attribute['string']), `${field}.string`)),
    ...(attribute['version'] === undefined ? [] : validateVersion(textOf(attribute['version']), `${field}.version`)),
    ...(set.length === 1
      ? []
      : [fieldInvalid(field, set.length === 0 ? '' : shown(attribute), 'exactly one value must be specified')]),
  ];
}

/** As Go prints the struct. */
function shown({ int = null, bool = null, string = null, version = null }: JsonRecord): JsonRecord {
  const lists = { IntValues: null, BoolValues: null, StringValues: null, VersionValues: null };
  return { IntValue: int, BoolValue: bool, StringValue: string, VersionValue: version, ...lists };
}

function validateVersion(version: string, field: string): Errors {
  const why = 'must be a string compatible with semver.org spec 2.0.0';
  return [
    ...(version.length <= VALUE_MAX && VERSION.test(version) ? [] : [fieldInvalid(field, version, why)]),
    ...validateLength(version, field),
  ];
}

function validateLength(text: string, field: string): Errors {
  return utf8Length(text) > VALUE_MAX ? [fieldTooLong(field, VALUE_MAX)] : [];
}

/** Drops lists of values: their feature gate is off by default in Kubernetes. */
export function withoutListValues(attributes: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      if (!isRecord(attribute)) return [name, attribute];
      const { bools: _bools, ints: _ints, strings: _strings, versions: _versions, ...kept } = attribute;
      return [name, kept];
    }),
  );
}

/** The maximum of attributes and capacities of a device. */
const PROPERTIES_MAX = 32;
const ATTRIBUTE_VALUES_MAX = 48;

function exceededText(what: string, max: number): string {
  return `the total number of ${what} must not exceed ${max}`;
}

/** Checks how many attributes and capacities a device has. */
export function validateCounts(device: JsonRecord, field: string): Errors {
  const attributes = Object.values(recordOf(device['attributes']));
  const properties = attributes.length + Object.keys(recordOf(device['capacity'])).length;
  const values = attributes.reduce<number>((sum, attribute) => sum + valuesOf(recordOf(attribute)), 0);
  return [
    ...(properties > PROPERTIES_MAX
      ? [fieldInvalid(field, properties, exceededText('attributes and capacities', PROPERTIES_MAX))]
      : []),
    ...(values > ATTRIBUTE_VALUES_MAX
      ? [fieldInvalid(field, values, exceededText('attribute values', ATTRIBUTE_VALUES_MAX))]
      : []),
  ];
}

function valuesOf(attribute: JsonRecord): number {
  const listed = ['bools', 'ints', 'strings', 'versions'].flatMap((name) => listOf(attribute[name])).length;
  return listed === 0 ? 1 : listed;
}
