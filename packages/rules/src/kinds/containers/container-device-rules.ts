/** The rules for volumes that a container uses as block devices. */

import { type FieldError, fieldInvalid, fieldNotFound, fieldRequired } from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

/** The volumes of the pod. */
export interface DeviceVolumes {
  readonly volumes: ReadonlySet<string>;
  readonly claimed: ReadonlySet<string>;
}

const NOT_CLAIMED = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

/** Checks `volumeDevices` of a container. */
export function validateDevices(container: JsonRecord, pod: DeviceVolumes, field: string): readonly FieldError[] {
  const mounts = recordsOf(container['volumeMounts']);
  const mounted = new Set(mounts.map(({ name }) => textOf(name)));
  const mountPaths = new Set(mounts.map(({ mountPath }) => textOf(mountPath)));
  const names = new Set<string>();
  const paths = new Set<string>();
  return itemErrors(recordsOf(container['volumeDevices']), (device, index) => {
    const [name, path] = [textOf(device['name']), textOf(device['devicePath'])];
    const [nameField, pathField] = [`${field}[${index}].name`, `${field}[${index}].devicePath`];
    const isKnown = pod.volumes.has(name);
    const [nameTwice, pathTwice] = [names.has(name), paths.has(path)];
    const steps = path.split('/').includes('..');
    if (!steps) paths.add(path);
    if (name !== '') names.add(name);
    return [
      ...(name === '' ? [fieldRequired(nameField)] : []),
      ...(nameTwice ? [fieldInvalid(nameField, name, 'must be unique')] : []),
      ...(isKnown && !pod.claimed.has(name) ? [fieldInvalid(nameField, name, NOT_CLAIMED)] : []),
      ...(isKnown ? [] : [fieldNotFound(nameField, name)]),
      ...(path === '' ? [fieldRequired(pathField)] : []),
      ...(pathTwice ? [fieldInvalid(pathField, path, 'must be unique')] : []),
      ...(steps ? [fieldInvalid(pathField, path, "can not contain backsteps ('..')")] : []),
      ...(mounted.has(name) ? [fieldInvalid(nameField, name, 'must not already exist in volumeMounts')] : []),
      ...(mountPaths.has(path)
        ? [fieldInvalid(pathField, path, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
  });
}
