/** The checks of the level `baseline`, which prevents known privilege escalations. In the order of their ids. */

import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import {
  badContainers,
  type CheckedPod,
  containersText,
  distinctSorted,
  hasOwnUsers,
  plural,
  quotedList,
  type SecurityCheck,
  settersText,
  type Violation,
} from './security-check.ts';

const CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** Safe sysctls, by the first version that allows them. */
const SYSCTLS: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.tcp_wmem', 32],
]);

export const BASELINE_CHECKS: readonly SecurityCheck[] = [
  { id: 'appArmorProfile', since: 0, check: appArmor },
  { id: 'capabilities_baseline', since: 0, check: capabilities },
  { id: 'hostNamespaces', since: 0, check: hostNamespaces },
  { id: 'hostPathVolumes', since: 0, check: hostPaths },
  { id: 'hostPorts', since: 0, check: hostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, check: probeHosts },
  { id: 'privileged', since: 0, check: privileged },
  { id: 'procMount', since: 0, check: (pod, minor) => (minor >= 35 && hasOwnUsers(pod) ? undefined : procMount(pod)) },
  { id: 'seLinuxOptions', since: 0, check: seLinux },
  {
    id: 'seccompProfile_baseline',
    since: 0,
    check: (pod, minor) => (minor < 19 ? seccompAnnotations(pod) : seccomp(pod)),
  },
  { id: 'sysctls', since: 0, check: sysctls },
  { id: 'windowsHostProcess', since: 0, check: hostProcess },
];

const PROFILES: readonly unknown[] = ['RuntimeDefault', 'Localhost'];
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function badAppArmor(context: JsonRecord): string | undefined {
  const profile = context['appArmorProfile'];
  const type = textOf(recordOf(profile)['type']);
  return profile === undefined || PROFILES.includes(type) ? undefined : type;
}

function appArmor(pod: CheckedPod): Violation | undefined {
  const isPod = badAppArmor(pod.context) !== undefined;
  const containers = badContainers(pod, ({ context }) => badAppArmor(context) !== undefined);
  const types = distinctSorted(
    [pod.context, ...pod.containers.map(({ context }) => context)].flatMap((one) => badAppArmor(one) ?? []),
  );
  const annotations = Object.entries(pod.annotations)
    .filter(([name, value]) => name.startsWith(APP_ARMOR) && !/^$|^runtime\/default$|^localhost\//.test(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .toSorted();
  const values = [...types, ...annotations];
  if (values.length === 0) return undefined;
  const setters = [settersText(isPod, containers), annotations.length > 0 ? plural(annotations, 'annotation') : ''];
  return {
    reason: plural(values, 'forbidden AppArmor profile'),
    detail: `${setters.filter((one) => one !== '').join(' and ')} must not set AppArmor profile type to ${quotedList(values)}`,
  };
}

function addedCapabilities(context: JsonRecord): readonly string[] {
  return listOf(recordOf(context['capabilities'])['add'])
    .map(textOf)
    .filter((name) => !CAPABILITIES.has(name));
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => addedCapabilities(context).length > 0);
  if (containers.length === 0) return undefined;
  const names = distinctSorted(pod.containers.flatMap(({ context }) => addedCapabilities(context)));
  const detail = `${containersText(containers)} must not include ${quotedList(names)} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true);
  if (used.length === 0) return undefined;
  return { reason: 'host namespaces', detail: used.map((name) => `${name}=true`).join(', ') };
}

function hostPaths({ spec }: CheckedPod): Violation | undefined {
  const volumes = recordsOf(spec['volumes'])
    .filter(({ hostPath }) => hostPath !== undefined)
    .map(({ name }) => textOf(name));
  if (volumes.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(volumes, 'volume')} ${quotedList(volumes)}` };
}

function hostPortsOf(fields: JsonRecord): readonly string[] {
  return recordsOf(fields['ports'])
    .map(({ hostPort }) => numberOf(hostPort))
    .filter((port) => port !== 0)
    .map(String);
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ fields }) => hostPortsOf(fields).length > 0);
  if (containers.length === 0) return undefined;
  const ports = distinctSorted(pod.containers.flatMap(({ fields }) => hostPortsOf(fields)));
  const uses = `${plural(containers, 'uses', 'use')} ${plural(ports, 'hostPort')} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail: `${containersText(containers)} ${uses}` };
}

function probeHostsOf(fields: JsonRecord): readonly string[] {
  const lifecycle = recordOf(fields['lifecycle']);
  const probes = [fields['livenessProbe'], fields['readinessProbe'], fields['startupProbe']];
  return [...probes, lifecycle['postStart'], lifecycle['preStop']]
    .map(recordOf)
    .flatMap(({ httpGet, tcpSocket }) => [recordOf(httpGet)['host'], recordOf(tcpSocket)['host']].map(textOf))
    .filter((host) => host !== '');
}

function probeHosts(pod: CheckedPod): Violation | undefined {
  const containers = distinctSorted(badContainers(pod, ({ fields }) => probeHostsOf(fields).length > 0));
  if (containers.length === 0) return undefined;
  const hosts = distinctSorted(pod.containers.flatMap(({ fields }) => probeHostsOf(fields)));
  const uses = `${plural(containers, 'uses', 'use')} ${plural(hosts, 'probe or lifecycle host')} ${quotedList(hosts)}`;
  return { reason: 'probe or lifecycle host', detail: `${containersText(containers)} ${uses}` };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => context['privileged'] === true);
  if (containers.length === 0) return undefined;
  return { reason: 'privileged', detail: `${containersText(containers)} must not set securityContext.privileged=true` };
}

function procMountOf(context: JsonRecord): string {
  return textOf(context['procMount']) || 'Default';
}

/** The level `restricted` also uses this check, for every Pod. */
export function procMount(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => procMountOf(context) !== 'Default');
  if (containers.length === 0) return undefined;
  const all = distinctSorted(pod.containers.map(({ context }) => procMountOf(context)));
  const types = quotedList(all.filter((type) => type !== 'Default'));
  return {
    reason: 'procMount',
    detail: `${containersText(containers)} must not set securityContext.procMount to ${types}`,
  };
}

const SELINUX_TYPES: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

function seLinuxOf(context: JsonRecord): JsonRecord {
  return recordOf(context['seLinuxOptions']);
}

function seLinux(pod: CheckedPod, minor: number): Violation | undefined {
  const allowed = minor >= 31 ? [...SELINUX_TYPES, 'container_engine_t'] : SELINUX_TYPES;
  const isBad = (context: JsonRecord): boolean => {
    const { type, user, role } = seLinuxOf(context);
    return !allowed.includes(textOf(type)) || textOf(user) !== '' || textOf(role) !== '';
  };
  const containers = badContainers(pod, ({ context }) => isBad(context));
  const isPod = isBad(pod.context);
  if (!isPod && containers.length === 0) return undefined;
  const all = [pod.context, ...pod.containers.map(({ context }) => context)].map(seLinuxOf);
  const types = distinctSorted(all.map(({ type }) => textOf(type)).filter((type) => !allowed.includes(type)));
  const facts = [
    ...(types.length > 0 ? [`${plural(types, 'type')} ${quotedList(types)}`] : []),
    ...(['user', 'role'] as const).flatMap((name) =>
      all.some((options) => textOf(options[name]) !== '') ? [`${name} may not be set`] : [],
    ),
  ];
  const setters = settersText(isPod, containers);
  return {
    reason: 'seLinuxOptions',
    detail: `${setters} set forbidden securityContext.seLinuxOptions: ${facts.join('; ')}`,
  };
}

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

function seccompAnnotations({ annotations, containers }: CheckedPod): Violation | undefined {
  const names = [SECCOMP_POD, ...containers.map(({ name }) => SECCOMP_CONTAINER + name)];
  const forbidden = distinctSorted(
    names.flatMap((name) => {
      const value = annotations[name];
      const isAllowed = value === undefined || /^runtime\/default$|^docker\/default$|^localhost\//.test(value);
      return isAllowed ? [] : [`${name}=${JSON.stringify(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural(forbidden, 'annotation')} ${forbidden.join(', ')}` };
}

/** The forbidden seccomp profile of a security context. */
export function badSeccomp(context: JsonRecord): string | undefined {
  const profile = context['seccompProfile'];
  const type = textOf(recordOf(profile)['type']);
  return profile === undefined || PROFILES.includes(type) ? undefined : type;
}

/** Also the first half of the check of `restricted`. */
export function seccomp(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => badSeccomp(context) !== undefined);
  const isPod = badSeccomp(pod.context) !== undefined;
  if (!isPod && containers.length === 0) return undefined;
  const all = [pod.context, ...pod.containers.map(({ context }) => context)];
  const types = quotedList(distinctSorted(all.flatMap((context) => badSeccomp(context) ?? [])));
  const setters = settersText(isPod, containers);
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${types}`,
  };
}

function sysctls({ context }: CheckedPod, minor: number): Violation | undefined {
  const names = recordsOf(context['sysctls']).map(({ name }) => textOf(name));
  const forbidden = names.filter(
    (name) => (SYSCTLS.get(name) ?? Number.POSITIVE_INFINITY) > minor || !SYSCTLS.has(name),
  );
  return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
}

function isHostProcess(context: JsonRecord): boolean {
  return recordOf(context['windowsOptions'])['hostProcess'] === true;
}

function hostProcess(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => isHostProcess(context));
  const setters = settersText(isHostProcess(pod.context), containers);
  if (setters === '') return undefined;
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
}
