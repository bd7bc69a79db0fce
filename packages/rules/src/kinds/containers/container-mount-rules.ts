/** The rules for the volume mounts of a container. */

import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];
const PRIVILEGED = 'Bidirectional mount propagation is available only to privileged containers';

/** Checks `volumeMounts` of a container; `volumes` are the names of the volumes that it may mount. */
export function validateMounts(container: JsonRecord, volumes: ReadonlySet<string>, field: string): Errors {
  const devices = recordsOf(container['volumeDevices']);
  const deviceNames = new Set(devices.map(({ name }) => textOf(name)));
  const devicePaths = new Set(devices.map(({ devicePath }) => textOf(devicePath)));
  const isPrivileged = recordOf(container['securityContext'])['privileged'] === true;
  const seen = new Set<string>();
  return itemErrors(recordsOf(container['volumeMounts']), (mount, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(mount['name']);
    const path = textOf(mount['mountPath']);
    const twice = seen.has(path) ? [fieldInvalid(`${place}.mountPath`, path, 'must be unique')] : [];
    const [subPath, expression] = [textOf(mount['subPath']), textOf(mount['subPathExpr'])];
    seen.add(path);
    return [
      ...(name === '' ? [fieldRequired(`${place}.name`)] : []),
      ...(volumes.has(name) ? [] : [fieldNotFound(`${place}.name`, name)]),
      ...(path === '' ? [fieldRequired(`${place}.mountPath`)] : []),
      ...twice,
      ...(deviceNames.has(name)
        ? [fieldInvalid(`${place}.name`, name, 'must not already exist in volumeDevices')]
        : []),
      ...(devicePaths.has(path)
        ? [fieldInvalid(`${place}.mountPath`, path, 'must not already exist as a path in volumeDevices')]
        : []),
      ...validateDescending(subPath, `${field}.subPath`),
      ...(expression !== '' && subPath !== ''
        ? [fieldInvalid(`${place}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]
        : []),
      ...validateDescending(expression, `${field}.subPathExpr`),
      ...validatePropagation(mount['mountPropagation'], isPrivileged, `${field}.mountPropagation`),
      ...validateRecursive(mount, `${field}.recursiveReadOnly`),
    ];
  });
}

function validateDescending(path: string, field: string): Errors {
  return [
    ...(path.startsWith('/') ? [fieldInvalid(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [fieldInvalid(field, path, "must not contain '..'")] : []),
  ];
}

function validatePropagation(value: unknown, isPrivileged: boolean, field: string): Errors {
  if (value === undefined) return [];
  return [
    ...(PROPAGATIONS.includes(textOf(value)) ? [] : [fieldNotSupported(field, value, PROPAGATIONS)]),
    ...(value === 'Bidirectional' && !isPrivileged ? [fieldForbidden(field, PRIVILEGED)] : []),
  ];
}

function validateRecursive({ recursiveReadOnly: mode, readOnly, mountPropagation }: JsonRecord, field: string): Errors {
  if (mode === undefined || mode === 'Disabled') return [];
  if (!RECURSIVE.includes(textOf(mode))) return [fieldNotSupported(field, mode, RECURSIVE)];
  const isShared = mountPropagation !== undefined && mountPropagation !== 'None';
  return [
    ...(readOnly === true ? [] : [fieldForbidden(field, 'may only be specified when readOnly is true')]),
    ...(isShared
      ? [fieldForbidden(field, 'may only be specified when mountPropagation is None or not specified')]
      : []),
  ];
}
