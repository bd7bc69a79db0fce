/** The rules for the security contexts of a pod and of its containers. */

import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { rangeText } from '../../validation/value-rules.ts';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';
import { validateWindowsOptions } from './windows-security-rules.ts';

type Errors = readonly FieldError[];

const ID_MAX = 2 ** 31 - 1;

/** Checks `securityContext` of a pod. */
export function validatePodSecurityContext(spec: JsonRecord, field: string): Errors {
  const context = recordOf(spec['securityContext']);
  const place = `${field}.securityContext`;
  return [
    ...validateId(context['fsGroup'], `${place}.fsGroup`),
    ...validateId(context['runAsUser'], `${place}.runAsUser`),
    ...validateId(context['runAsGroup'], `${place}.runAsGroup`),
    ...itemErrors(listOf(context['supplementalGroups']), (group, index) =>
      validateId(group, `${place}.supplementalGroups[${index}]`),
    ),
    ...validateSharedProcesses(spec, field),
    ...validateSysctls(spec, `${place}.sysctls`),
    ...supported(context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch'], `${place}.fsGroupChangePolicy`),
    ...validateSeccomp(context['seccompProfile'], `${place}.seccompProfile`),
    ...validateWindowsOptions(context['windowsOptions'], `${place}.windowsOptions`),
    ...validateAppArmor(context['appArmorProfile'], `${place}.appArmorProfile`),
    ...supported(context['supplementalGroupsPolicy'], ['Merge', 'Strict'], `${place}.supplementalGroupsPolicy`),
    ...supported(context['seLinuxChangePolicy'], ['Recursive'], `${place}.seLinuxChangePolicy`),
  ];
}

/** Checks `securityContext` of a container; `hostUsers` is that of its pod. */
export function validateSecurityContext(value: unknown, hostUsers: boolean, field: string): Errors {
  if (value === undefined) return [];
  const context = recordOf(value);
  const { procMount, privileged, allowPrivilegeEscalation: escalates } = context;
  const added = listOf(recordOf(context['capabilities'])['add']);
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  return [
    ...validateId(context['runAsUser'], `${field}.runAsUser`),
    ...validateId(context['runAsGroup'], `${field}.runAsGroup`),
    ...supported(procMount, ['Default', 'Unmasked'], `${field}.procMount`),
    ...(hostUsers && procMount === 'Unmasked'
      ? [fieldInvalid(`${field}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...validateSeccomp(context['seccompProfile'], `${field}.seccompProfile`),
    ...(escalates === false && privileged === true
      ? [fieldInvalid(field, context, `${cannot} \`privileged\` to true`)]
      : []),
    ...(escalates === false && added.includes('CAP_SYS_ADMIN')
      ? [fieldInvalid(field, context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`)]
      : []),
    ...validateWindowsOptions(context['windowsOptions'], `${field}.windowsOptions`),
    ...validateAppArmor(context['appArmorProfile'], `${field}.appArmorProfile`),
  ];
}

/** A pod with its own user namespace cannot share other namespaces with its host. */
export function validateHostUsers(spec: JsonRecord, field: string): Errors {
  if (spec['hostUsers'] !== false) return [];
  const why = 'when `hostUsers` is false';
  return [
    ...(spec['hostNetwork'] === true ? [fieldForbidden(`${field}.hostNetwork`, why)] : []),
    ...(spec['hostPID'] === true ? [fieldForbidden(`${field}.HostPID`, why)] : []),
    ...(spec['hostIPC'] === true ? [fieldForbidden(`${field}.HostIPC`, why)] : []),
    ...CONTAINER_LISTS.flatMap((list) =>
      itemErrors(recordsOf(spec[list]), ({ volumeDevices }, index) =>
        listOf(volumeDevices).length === 0 ? [] : [fieldForbidden(`${field}.${list}[${index}].volumeDevices`, why)],
      ),
    ),
  ];
}

/** `shareProcessNamespace` and `hostPID` exclude each other. */
function validateSharedProcesses({ shareProcessNamespace, hostPID }: JsonRecord, field: string): Errors {
  if (shareProcessNamespace !== true || hostPID !== true) return [];
  const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
  return [fieldInvalid(`${field}.securityContext.shareProcessNamespace`, true, why)];
}

function validateId(id: unknown, field: string): Errors {
  if (!isJsonNumber(id) || (id >= 0 && id <= ID_MAX)) return [];
  return [fieldInvalid(field, id, rangeText(0, ID_MAX))];
}

function supported(value: unknown, values: readonly string[], field: string): Errors {
  return value === undefined || values.includes(textOf(value)) ? [] : [fieldNotSupported(field, value, values)];
}

const SYSCTL_MAX = 253;
const SEGMENT = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_TEXT = `must have at most ${SYSCTL_MAX} characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;

/** Sysctls of the network or IPC namespace: a pod must not set them when it shares that namespace with its host. */
const OF_HOST = [
  { shared: 'hostNetwork', names: /^net\./ },
  { shared: 'hostIPC', names: /^(?:kernel\.(?:shm|msg|sem)|fs\.mqueue\.)/ },
] as const;

function validateSysctls(spec: JsonRecord, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(recordOf(spec['securityContext'])['sysctls']), (sysctl, index) => {
    const name = textOf(sysctl['name']);
    const place = `${field}[${index}].name`;
    const isTwice = seen.has(name);
    seen.add(name);
    const shared = OF_HOST.find((one) => spec[one.shared] === true && one.names.test(dotted(name)));
    return [
      ...(name === '' ? [fieldRequired(place)] : []),
      ...(name !== '' && !isSysctl(name) ? [fieldInvalid(place, name, SYSCTL_TEXT)] : []),
      ...(isTwice && isSysctl(name) ? [fieldDuplicate(place, name)] : []),
      ...(shared === undefined
        ? []
        : [fieldInvalid(place, name, `may not be specified when '${shared.shared}' is true`)]),
    ];
  });
}

function isSysctl(name: string): boolean {
  return name.length <= SYSCTL_MAX && name.split(/[./]/).every((segment) => SEGMENT.test(segment));
}

/** Converts a sysctl name to dots. The first separator in the name, dot or slash, is the separator. */
function dotted(name: string): string {
  return /^[^./]*\//.test(name) ? name.replaceAll('/', '.') : name;
}

const SECCOMP_PATH = 'can only be set when seccomp type is Localhost';
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateSeccomp(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const profile = recordOf(value);
  const type = textOf(profile['type']);
  const { localhostProfile: path } = profile;
  return [
    ...(type === '' ? [fieldRequired(`${field}.type`, 'type is required when seccompProfile is set')] : []),
    ...(type === '' || PROFILES.includes(type) ? [] : [fieldNotSupported(`${field}.type`, type, PROFILES)]),
    ...(type === 'Localhost'
      ? validateProfilePath(path, `${field}.localhostProfile`)
      : path === undefined
        ? []
        : [fieldInvalid(`${field}.localhostProfile`, { Type: type, LocalhostProfile: path }, SECCOMP_PATH)]),
  ];
}

function validateProfilePath(path: unknown, field: string): Errors {
  if (path === undefined) return [fieldRequired(field, 'must be set when seccomp type is Localhost')];
  const text = textOf(path);
  return [
    ...(text.startsWith('/') ? [fieldInvalid(field, text, 'must be a relative path')] : []),
    ...(text.split('/').includes('..') ? [fieldInvalid(field, text, "must not contain '..'")] : []),
  ];
}

const PATH_MAX = 4095;

function validateAppArmor(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const { type, localhostProfile: path } = recordOf(value);
  const place = `${field}.localhostProfile`;
  if (textOf(type) === '') return [fieldRequired(`${field}.type`, 'type is required when appArmorProfile is set')];
  if (!PROFILES.includes(textOf(type))) return [fieldNotSupported(`${field}.type`, type, PROFILES)];
  if (type !== 'Localhost') {
    return path === undefined ? [] : [fieldInvalid(place, path, 'can only be set when AppArmor type is Localhost')];
  }
  const text = textOf(path);
  const isPadded = text.trim() !== text;
  return [
    ...(isPadded ? [fieldInvalid(place, text, 'must not be padded with whitespace')] : []),
    ...(text === '' ? [fieldRequired(place, 'must be set when AppArmor type is Localhost')] : []),
    ...(text.length > PATH_MAX ? [fieldTooLong(place, PATH_MAX)] : []),
  ];
}
