/** The rules for the environment of a container. */

import { checkDnsSubdomain, type FieldError, fieldInvalid, fieldNotFound, fieldRequired } from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { checkDataKey } from '../../validation/data-keys.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, requiredLabel } from '../../validation/value-rules.ts';
import { CONTAINER_LISTS } from './container-lists.ts';
import { ENV_FIELDS, validateFieldRef, validateResourceRef } from './downward-rules.ts';

type Errors = readonly FieldError[];

const NAME_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Checks the variables at `field`. */
export function validateEnv(value: unknown, field: string): Errors {
  return itemErrors(recordsOf(value), (variable, index) => {
    const name = textOf(variable['name']);
    const { valueFrom } = variable;
    // Most variables are a name and a value.
    if (valueFrom === undefined && VARIABLE.test(name)) return NONE;
    const place = `${field}[${index}]`;
    return [
      ...(name === '' ? [fieldRequired(`${place}.name`)] : validateName(name, `${place}.name`)),
      ...(valueFrom === undefined
        ? NONE
        : validateSource(recordOf(valueFrom), textOf(variable['value']), `${place}.valueFrom`)),
    ];
  });
}

const NONE: Errors = [];
const VARIABLE = /^[ -<>-~]+$/;

function validateName(name: string, field: string): Errors {
  return VARIABLE.test(name) ? NONE : [fieldInvalid(field, name, NAME_RULE)];
}

/** Checks `envFrom`: ConfigMaps and Secrets that become variables as a whole. */
export function validateEnvFrom(value: unknown, field: string): Errors {
  return itemErrors(recordsOf(value), (source, index) => {
    const place = `${field}[${index}]`;
    const prefix = textOf(source['prefix']);
    const maps = ['configMapRef', 'secretRef'].filter((name) => source[name] !== undefined);
    return [
      ...(prefix === '' ? [] : validateName(prefix, `${place}.prefix`)),
      ...maps.flatMap((name) => validateMapName(recordOf(source[name]), `${place}.${name}.name`)),
      ...(maps.length === 0 ? [fieldInvalid(field, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(maps.length > 1 ? [fieldInvalid(field, '', ONE_FIELD)] : []),
    ];
  });
}

const ONE_FIELD = 'may not have more than one field specified at a time';

function validateMapName({ name }: JsonRecord, field: string): Errors {
  return textOf(name) === '' ? [fieldRequired(field)] : named(name, checkDnsSubdomain, field);
}

const SOURCES: Readonly<Record<string, (source: JsonRecord, field: string) => Errors>> = {
  fieldRef: (source, field) => validateFieldRef(source, field, ENV_FIELDS),
  resourceFieldRef: (source, field) => validateResourceRef(source, field, false),
  configMapKeyRef: validateKey,
  secretKeyRef: validateKey,
  fileKeyRef: validateFileKey,
};

function validateSource(source: JsonRecord, value: string, field: string): Errors {
  const names = Object.keys(SOURCES).filter((name) => source[name] !== undefined);
  const wrong = sourcesProblem(names.length, value);
  return [
    ...names.flatMap((name) => SOURCES[name]?.(recordOf(source[name]), `${field}.${name}`) ?? []),
    ...(wrong === undefined ? [] : [fieldInvalid(field, '', wrong)]),
  ];
}

function sourcesProblem(count: number, value: string): string | undefined {
  if (count === 0) {
    return 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
  }
  if (value !== '') return 'may not be specified when `value` is not empty';
  return count > 1 ? ONE_FIELD : undefined;
}

function validateFileKey({ key, volumeName, path }: JsonRecord, field: string): Errors {
  const [name, place] = [textOf(key), textOf(path)];
  return [
    ...(name === '' ? [fieldRequired(`${field}.key`)] : validateName(name, `${field}.key`)),
    ...requiredLabel(volumeName, `${field}.volumeName`),
    ...(place === '' ? [fieldRequired(`${field}.path`)] : []),
    ...(place.split('/').includes('..') ? [fieldInvalid(`${field}.path`, place, "must not contain '..'")] : []),
  ];
}

/** `fileKeyRef` must refer to an emptyDir volume of the pod. */
export function validateFileVolumes(spec: JsonRecord, field: string): Errors {
  const volumes = new Map(recordsOf(spec['volumes']).map((volume) => [textOf(volume['name']), volume]));
  return CONTAINER_LISTS.flatMap((list) =>
    itemErrors(recordsOf(spec[list]), ({ env }, index) =>
      itemErrors(recordsOf(env), ({ valueFrom }, number) => {
        if (valueFrom === undefined) return NONE;
        const { fileKeyRef } = recordOf(valueFrom);
        if (fileKeyRef === undefined) return NONE;
        const name = textOf(recordOf(fileKeyRef)['volumeName']);
        const place = `${field}.${list}[${index}].env[${number}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(name);
        if (volume === undefined) return [fieldNotFound(place, name)];
        return volume['emptyDir'] === undefined
          ? [fieldInvalid(place, name, 'referenced volume must be of type emptyDir')]
          : [];
      }),
    ),
  );
}

function validateKey({ name, key }: JsonRecord, field: string): Errors {
  const text = textOf(key);
  return [
    ...checkDnsSubdomain(textOf(name)).map((complaint) => fieldInvalid(`${field}.name`, textOf(name), complaint)),
    ...(text === ''
      ? [fieldRequired(`${field}.key`)]
      : checkDataKey(text).map((complaint) => fieldInvalid(`${field}.key`, text, complaint))),
  ];
}
