import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { defaultPodSpec } from './pod-defaults.ts';
import { validatePodSpec } from './pod-validation.ts';

const container = { name: 'c', image: 'i' };

function complaints(spec: Readonly<Record<string, unknown>>): string {
  return fieldErrorsText(validatePodSpec(defaultPodSpec({ containers: [container], ...spec }), 's'));
}

function ofContainer(fields: Readonly<Record<string, unknown>>): string {
  return complaints({ containers: [{ ...container, ...fields }] }).replaceAll('s.containers[0].', '');
}

function fileVariable(volumeName: string): object {
  return { name: 'A', valueFrom: { fileKeyRef: { volumeName, path: 'p', key: 'K' } } };
}

/** 9 * 227 characters and 8 spaces between them. */
const LONG_SEARCHES = Array.from({ length: 9 }, () => 'a'.repeat(227));

const name = (text: string) =>
  `Invalid value: ${JSON.stringify(text)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

describe('a container', () => {
  it.each([
    ['no probe', {}, ''],
    ['an empty probe', { livenessProbe: {} }, 'livenessProbe: Required value: must specify a handler type'],
    [
      'two handlers',
      { livenessProbe: { exec: {}, httpGet: { port: 80 }, successThreshold: 2, periodSeconds: -1 } },
      '[livenessProbe.exec.command: Required value, livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type, ' +
        'livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0, livenessProbe.successThreshold: Invalid value: 2: must be 1]',
    ],
    [
      'an illegal port',
      { startupProbe: { grpc: { port: 70000 }, terminationGracePeriodSeconds: 0 } },
      '[startupProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive, startupProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0]',
    ],
    [
      'calls that do nothing',
      { lifecycle: { postStart: {}, preStop: { exec: {} } } },
      '[lifecycle.postStart: Required value: must specify a handler type, lifecycle.preStop.exec.command: Required value]',
    ],
    [
      'a sleep that is longer than its end may take',
      { lifecycle: { postStart: { sleep: { seconds: 30 } }, preStop: { sleep: { seconds: 31 } } } },
      'lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
    [
      'a sleep below nothing',
      { lifecycle: { preStop: { sleep: { seconds: -1 } } } },
      'lifecycle.preStop.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
    [
      'a variable with a value from two places',
      { env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ],
    [
      'a variable from nowhere',
      { env: [{ name: 'A', valueFrom: {} }] },
      'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    ],
    [
      'a variable of an unknown field',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } }] },
      'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo',
    ],
    [
      'a variable of a label',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }] },
      '',
    ],
    [
      'a key that is missing',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] },
      'env[0].valueFrom.secretKeyRef.key: Required value',
    ],
    [
      'an unknown resource',
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'foo' } } }] },
      'env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "foo": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ],
    [
      'maps that are missing',
      { envFrom: [{}, { configMapRef: {} }] },
      '[envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`, envFrom[1].configMapRef.name: Required value]',
    ],
    [
      'a path out of a volume',
      { volumeMounts: [{ name: 'v', mountPath: '/a', subPath: '../x' }] },
      '[volumeMounts[0].name: Not found: "v", volumeMounts.subPath: Invalid value: "../x": must not contain \'..\']',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(ofContainer(fields)).toBe(expected);
  });
});

describe('a pod', () => {
  it.each([
    [
      'volumes without a source',
      {
        volumes: [
          { name: 'a', secret: {} },
          { name: 'b', configMap: {} },
          { name: 'c', persistentVolumeClaim: {} },
          { name: 'd', hostPath: { path: '' } },
        ],
      },
      '[s.volumes[0].secret.secretName: Required value, s.volumes[1].configMap.name: Required value, s.volumes[2].persistentVolumeClaim.claimName: Required value, s.volumes[3].hostPath.path: Required value]',
    ],
    [
      'files in wrong places',
      { volumes: [{ name: 'e', configMap: { name: 'x', defaultMode: 9999, items: [{ key: '', path: '../x' }] } }] },
      '[s.volumes[0].configMap.defaultMode: Invalid value: 9999: must be a number between 0 and 0777 (octal), both inclusive, ' +
        's.volumes[0].configMap.items[0].key: Required value, s.volumes[0].configMap.items[0].path: Invalid value: "../x": must not contain \'..\']',
    ],
    [
      'a mount of a volume that is wrong',
      {
        volumes: [{ name: 'v', secret: {} }],
        containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/x' }] }],
      },
      '[s.volumes[0].secret.secretName: Required value, s.containers[0].volumeMounts[0].name: Not found: "v"]',
    ],
    [
      'another port of its host',
      { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }] },
      's.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
    ],
    [
      'no resolver',
      { dnsPolicy: 'None' },
      's.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ],
    [
      'a resolver without an address',
      { dnsConfig: { nameservers: ['x'], options: [{}] } },
      '[s.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), s.dnsConfig.options[0]: Required value: must not be empty]',
    ],
    [
      'an alias without an address',
      { hostAliases: [{ ip: 'x' }] },
      's.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'an affinity to nothing',
      { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
      's.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
    [
      'an affinity without weight',
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { topologyKey: 'a b' } }],
          },
        },
      },
      `[s.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100, s.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: ${name('a b')}]`,
    ],
    [
      'a spread over nothing',
      { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'X' }] },
      '[s.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero, s.topologySpreadConstraints[0].topologyKey: Required value: can not be empty, s.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"]',
    ],
    ['gates alike', { schedulingGates: [{ name: 'a' }, { name: 'a' }] }, 's.schedulingGates[1]: Duplicate value: "a"'],
    [
      'an illegal gate',
      { readinessGates: [{ conditionType: 'a b' }] },
      `s.readinessGates[0].conditionType: ${name('a b')}`,
    ],
    ['an unknown system', { os: { name: 'x' } }, 's.os: Unsupported value: "x": supported values: "linux", "windows"'],
    [
      'block devices and users of its own',
      {
        hostUsers: false,
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'v' } }],
        containers: [{ ...container, volumeDevices: [{ name: 'v', devicePath: '/d' }] }],
      },
      's.containers[0].volumeDevices: Forbidden: when `hostUsers` is false',
    ],
    [
      'variables in files that are not in an emptyDir',
      {
        volumes: [
          { name: 'v', hostPath: { path: '/v' } },
          { name: 'w', emptyDir: {} },
        ],
        containers: [{ ...container, env: ['u', 'v', 'w'].map((volume) => fileVariable(volume)) }],
      },
      '[s.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "u", ' +
        's.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir]',
    ],
    [
      'too many name servers',
      { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
      's.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
    ],
    [
      'a search that is too long',
      { dnsConfig: { searches: ['a'.repeat(254)] } },
      `s.dnsConfig.searches[0]: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
    ],
    [
      'searches that are too long together',
      { dnsConfig: { searches: LONG_SEARCHES } },
      `s.dnsConfig.searches: Invalid value: ${JSON.stringify(LONG_SEARCHES)}: must not have more than 2048 characters (including spaces) in the search list`,
    ],
    [
      'processes shared twice',
      { shareProcessNamespace: true, hostPID: true },
      's.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  ])('with %s is validated', (_, spec, expected) => {
    expect(complaints(spec)).toBe(expected);
  });

  it('claims ephemeral volumes under its own name and theirs', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }];
    const validated = (podName?: string): string =>
      fieldErrorsText(validatePodSpec(defaultPodSpec({ containers: [container], volumes }), 's', podName));
    const longest = 'p'.repeat(251);
    expect(validated(longest)).toBe('');
    expect(validated(`${longest}p`)).toBe(
      `s.volumes[0].name: Invalid value: "v": PVC name "${longest}p-v": must be no more than 253 characters`,
    );
    expect(validated()).toBe('');
  });

  it('of 60 000 wrong volumes is validated in one pass', () => {
    const volumes = Array.from({ length: 60_000 }, (_, index) => ({ name: `v${index}`, secret: {} }));
    expect(complaints({ volumes })).toContain('s.volumes[0].secret.secretName');
  });
});
