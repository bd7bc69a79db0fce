import { fieldErrorsText } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { defaultPodSpec } from './pod-defaults.ts';
import { validatePodSpec } from './pod-validation.ts';

const container = { name: 'c', image: 'i' };

function complaints(spec: JsonRecord): string {
  return fieldErrorsText(validatePodSpec(defaultPodSpec({ containers: [container], ...spec }), 's'));
}

describe('the security context of a pod', () => {
  it.each<readonly [JsonRecord, string]>([
    [{}, ''],
    [{ runAsUser: -1 }, 'runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
    [
      { supplementalGroups: [1, -5] },
      'supplementalGroups[1]: Invalid value: -5: must be between 0 and 2147483647, inclusive',
    ],
    [
      { sysctls: [{ name: 'a.b' }, { name: 'a.b' }, {}] },
      '[sysctls[1].name: Duplicate value: "a.b", sysctls[2].name: Required value]',
    ],
    [
      { fsGroupChangePolicy: 'x' },
      'fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch"',
    ],
    [{ seccompProfile: {} }, 'seccompProfile.type: Required value: type is required when seccompProfile is set'],
    [
      { seccompProfile: { type: 'Localhost' } },
      'seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
    [
      { seccompProfile: { type: 'Localhost', localhostProfile: '/a' } },
      'seccompProfile.localhostProfile: Invalid value: "/a": must be a relative path',
    ],
    [
      { appArmorProfile: { type: 'x' } },
      'appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
    [
      { appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } },
      'appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace',
    ],
    [
      { windowsOptions: { runAsUserName: 'a\\b\\c' } },
      'windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
    ],
    [{ windowsOptions: { runAsUserName: 'ok\\user' } }, ''],
  ])('%j', (securityContext, text) => {
    expect(complaints({ securityContext }).replaceAll('s.securityContext.', '')).toBe(text);
  });

  it('takes no time for very many long names of kernel parameters', () => {
    const sysctls = Array.from({ length: 5000 }, (_, index) => ({ name: `${'a-'.repeat(120)}${index}_` }));
    expect(complaints({ securityContext: { sysctls } })).toMatch('must have at most 253 characters');
  });

  it('shares nothing else with the host when it has users of its own', () => {
    expect(complaints({ hostUsers: false, hostPID: true, hostIPC: true })).toBe(
      '[s.HostPID: Forbidden: when `hostUsers` is false, s.HostIPC: Forbidden: when `hostUsers` is false]',
    );
    expect(complaints({ hostIPC: true, securityContext: { sysctls: [{ name: 'kernel.shmmax' }] } })).toMatch(
      "may not be specified when 'hostIPC' is true",
    );
  });

  it('has only what its system knows', () => {
    expect(complaints({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } })).toBe(
      's.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    );
    const containers = [{ ...container, securityContext: { privileged: false } }];
    const windows = { os: { name: 'windows' }, hostPID: true, securityContext: { runAsUser: 1 }, containers };
    const why = 'Forbidden: cannot be set for a windows pod';
    const fields = ['hostPID', 'securityContext.runAsUser', 'containers[0].securityContext.privileged'];
    expect(complaints(windows)).toBe(`[${fields.map((field) => `s.${field}: ${why}`).join(', ')}]`);
    const hostProcess = { windowsOptions: { hostProcess: true } };
    expect(complaints({ containers: [{ ...container, securityContext: hostProcess }] })).toBe(
      's.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    );
  });
});

describe('the security context of a container', () => {
  it.each<readonly [JsonRecord, string]>([
    [{ procMount: 'Unmasked' }, 'procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`'],
    [{ procMount: 'x' }, 'procMount: Unsupported value: "x": supported values: "Default", "Unmasked"'],
    [{ runAsGroup: -1 }, 'runAsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
    [{ allowPrivilegeEscalation: false }, ''],
  ])('%j', (securityContext, text) => {
    const place = 's.containers[0].securityContext.';
    expect(complaints({ containers: [{ ...container, securityContext }] }).replaceAll(place, '')).toBe(text);
  });
});

describe('the devices that a pod claims', () => {
  it('come from a claim or from a template, under a name of their own', () => {
    const resourceClaims = [
      { name: 'a' },
      { name: 'a', resourceClaimName: 'x' },
      { name: 'b', resourceClaimName: 'x' },
    ];
    expect(complaints({ resourceClaims })).toBe(
      '[s.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`, s.resourceClaims[1].name: Duplicate value: "a"]',
    );
  });

  it('are used by containers once, by their names', () => {
    const resourceClaims = [{ name: 'a', resourceClaimName: 'x' }];
    const claims = [{ name: 'a', request: 'r' }, { name: 'a', request: 'q' }, { name: 'a' }, { name: 'b' }];
    const place = 's.containers[0].resources.claims';
    expect(complaints({ resourceClaims, containers: [{ ...container, resources: { claims } }] })).toBe(
      `[${place}[2]: Duplicate value: "a", ${place}[3]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a]`,
    );
  });
});

describe('rare volumes', () => {
  it.each<readonly [JsonRecord, string]>([
    [
      { gitRepo: { repository: 'x', directory: '../a' } },
      'gitRepo.directory: Invalid value: "../a": must not contain \'..\'',
    ],
    [
      { iscsi: { targetPortal: 'a', iqn: 'x', lun: 300 } },
      '[iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa, iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive]',
    ],
    [{ rbd: {} }, '[rbd.monitors: Required value, rbd.image: Required value]'],
    [{ flocker: {} }, 'flocker: Required value: one of datasetName and datasetUUID is required'],
    [
      { quobyte: { registry: 'a', volume: 'b' } },
      'quobyte.registry: Invalid value: "a": must be a host:port pair or multiple pairs separated by commas',
    ],
    [{ ephemeral: {} }, 'ephemeral.volumeClaimTemplate: Required value'],
    [
      { image: { pullPolicy: 'x' } },
      'image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
    [
      {
        projected: {
          sources: [
            { configMap: { name: 'm', items: [{ key: 'a', path: 'p' }] } },
            { secret: { name: 's', items: [{ key: 'a', path: 'p' }] }, configMap: { name: 'x' } },
          ],
        },
      },
      '[projected: Invalid value: "s": conflicting duplicate paths, projected.sources[1]: Forbidden: may not specify more than 1 volume type per source]',
    ],
  ])('%j', (source, text) => {
    expect(complaints({ volumes: [{ name: 'v', ...source }] }).replaceAll('s.volumes[0].', '')).toBe(text);
  });

  it('get their defaults', () => {
    const volumes = [
      { name: 'i', image: { reference: 'a:1' } },
      { name: 'e', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ];
    expect(defaultPodSpec({ volumes })['volumes']).toStrictEqual([
      { name: 'i', image: { reference: 'a:1', pullPolicy: 'IfNotPresent' } },
      { name: 'e', ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
    ]);
  });
});
