/** The rules for pods on Windows, and for fields that only Linux or only Windows has. */

import {
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  utf8Length,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';

type Errors = readonly FieldError[];

const SYSTEMS = ['linux', 'windows'];

interface PlacedContext {
  readonly context: JsonRecord;
  readonly place: string;
}

/** The security contexts of all containers. */
function contextsOf(spec: JsonRecord, field: string): readonly PlacedContext[] {
  return CONTAINER_LISTS.flatMap((list) =>
    recordsOf(spec[list]).map((container, index) => ({
      context: recordOf(container['securityContext']),
      place: `${field}.${list}[${index}].securityContext`,
    })),
  );
}

/** Checks `os` of a pod, and that the pod sets no field which its OS does not support. */
export function validateSystem(spec: JsonRecord, field: string): Errors {
  const { os } = spec;
  if (os === undefined) return [];
  const name = textOf(recordOf(os)['name']);
  if (name === '') return [fieldRequired(`${field}.os.name`)];
  if (!SYSTEMS.includes(name)) return [fieldNotSupported(`${field}.os`, name, SYSTEMS)];
  return name === 'linux' ? validateLinux(spec, field) : validateWindows(spec, field);
}

function validateLinux(spec: JsonRecord, field: string): Errors {
  const own = { context: recordOf(spec['securityContext']), place: `${field}.securityContext` };
  return [own, ...contextsOf(spec, field)]
    .filter(({ context }) => context['windowsOptions'] !== undefined)
    .map(({ place }) => fieldForbidden(`${place}.windowsOptions`, 'windows options cannot be set for a linux pod'));
}

/** Fields that Windows does not support, in the order of kube-apiserver. `context`: in the security context. */
const NOT_ON_WINDOWS: readonly (readonly [name: string, where: 'context' | 'spec'])[] = [
  ['appArmorProfile', 'context'],
  ['seLinuxOptions', 'context'],
  ['hostUsers', 'spec'],
  ['hostPID', 'spec'],
  ['hostIPC', 'spec'],
  ['seccompProfile', 'context'],
  ['fsGroup', 'context'],
  ['fsGroupChangePolicy', 'context'],
  ['sysctls', 'context'],
  ['shareProcessNamespace', 'spec'],
  ['runAsUser', 'context'],
  ['runAsGroup', 'context'],
  ['supplementalGroups', 'context'],
  ['supplementalGroupsPolicy', 'context'],
  ['seLinuxChangePolicy', 'context'],
];

const NOT_IN_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && listOf(value).length === 0);
}

function validateWindows(spec: JsonRecord, field: string): Errors {
  const why = 'cannot be set for a windows pod';
  const context = recordOf(spec['securityContext']);
  return [
    ...NOT_ON_WINDOWS.filter(([name, where]) => {
      if (name === 'hostUsers' || name === 'shareProcessNamespace') return spec[name] !== undefined;
      return isSet((where === 'context' ? context : spec)[name]);
    }).map(([name, where]) => fieldForbidden(`${field}.${where === 'context' ? 'securityContext.' : ''}${name}`, why)),
    ...contextsOf(spec, field).flatMap(({ context: own, place }) =>
      NOT_IN_CONTAINERS.filter((name) => own[name] !== undefined).map((name) =>
        fieldForbidden(`${place}.${name}`, why),
      ),
    ),
  ];
}

/** If one container is a host process, all containers must be, and the pod must use the host network. */
export function validateHostProcess(spec: JsonRecord, field: string): Errors {
  const own = recordOf(recordOf(spec['securityContext'])['windowsOptions'])['hostProcess'];
  const contexts = contextsOf(spec, field);
  if (own === undefined && contexts.every(({ context }) => context['windowsOptions'] === undefined)) return [];
  const processes = contexts.map(({ context, place }) => ({
    value: recordOf(context['windowsOptions'])['hostProcess'],
    place: `${place}.windowsOptions.hostProcess`,
  }));
  const different = processes.filter(({ value }) => own !== undefined && value !== undefined && value !== own);
  const count = processes.filter(({ value }) => (value ?? own) === true).length;
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  const network = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [
    ...different.map(({ value, place }) =>
      fieldInvalid(place, value, `pod hostProcess value must be identical if both are specified, was ${String(own)}`),
    ),
    ...(count > 0 && count !== contexts.length ? [fieldInvalid(field, '', all)] : []),
    ...(count > 0 && spec['hostNetwork'] !== true ? [fieldInvalid(`${field}.hostNetwork`, false, network)] : []),
  ];
}

const SPEC_MAX = 64 * 1024;
const DOMAIN_MAX = 256;
const USER_MAX = 104;
const NET_BIOS = /^[^\\/:*?|<>.][^\\/:*?|<>]{0,14}$/;
const DNS_LABELS = /^[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;

/** Checks `windowsOptions` of a context. */
export function validateWindowsOptions(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = recordOf(value);
  const size = utf8Length(textOf(spec));
  return [
    ...(name === undefined
      ? []
      : checkDnsSubdomain(textOf(name)).map((why) => fieldInvalid(`${field}.gmsaCredentialSpecName`, name, why))),
    ...(spec !== undefined && size === 0
      ? [fieldInvalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string')]
      : []),
    ...(size > SPEC_MAX
      ? [fieldInvalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec size must be under 64 KiB')]
      : []),
    ...(user === undefined
      ? []
      : userComplaints(textOf(user)).map((why) => fieldInvalid(`${field}.runAsUserName`, user, `runAsUserName${why}`))),
  ];
}

/** The problem with a user name such as `DOMAIN\user`. */
function userComplaints(text: string): readonly string[] {
  if (text === '') return [' cannot be an empty string'];
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) return [' cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const isDomain =
    domain === undefined || NET_BIOS.test(domain) || domain.split('.').every((one) => DNS_LABELS.test(one));
  return [
    ...((domain ?? '').length >= DOMAIN_MAX ? [`'s Domain length must be under ${DOMAIN_MAX} characters`] : []),
    ...(isDomain ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
    ...(user === '' ? ["'s User cannot be empty"] : []),
    ...(user.length > USER_MAX ? [`'s User length must not be longer than ${USER_MAX} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}
