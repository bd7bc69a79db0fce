import type { JsonRecord } from '@listwatch/api/values';
import { checkedPod, levelText, securityPolicy, securityViolations, violationsText } from '@listwatch/rules/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from '../../start/in-process-server.fixture.ts';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const PREFIX = 'pod-security.kubernetes.io/';

function labelsOf(modes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(modes).map(([mode, value]) => [PREFIX + mode, value]));
}

const COMPLIANT = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    { name: 'a', image: 'a', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  ],
};

function container(securityContext: object, more: object = {}): JsonRecord {
  return { containers: [{ name: 'a', securityContext, ...more }] };
}

function violations(level: 'baseline' | 'restricted', minor: number, spec: JsonRecord, annotations = {}): string {
  return violationsText(securityViolations({ level, minor }, checkedPod(annotations, spec)));
}

describe('a level of PodSecurity', () => {
  it.each<readonly [string, JsonRecord]>([
    ['host namespaces (hostNetwork=true, hostPID=true)', { hostPID: true, hostNetwork: true }],
    ['hostPath volumes (volume "v")', { volumes: [{ name: 'v', hostPath: {} }] }],
    [
      'hostPort (containers "a", "b" use hostPorts 80, 8081)',
      {
        containers: [
          { name: 'a', ports: [{ hostPort: 80 }] },
          { name: 'b', ports: [{ hostPort: 8081 }] },
        ],
      },
    ],
    [
      'non-default capabilities (container "a" must not include "NET_ADMIN" in securityContext.capabilities.add)',
      container({ capabilities: { add: ['NET_ADMIN', 'CHOWN'] } }),
    ],
    ['privileged (container "a" must not set securityContext.privileged=true)', container({ privileged: true })],
    [
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
      container({ procMount: 'Unmasked' }),
    ],
    [
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set)',
      {
        securityContext: { seLinuxOptions: { role: 'r' } },
        ...container({ seLinuxOptions: { type: 'x', user: 'u' } }),
      },
    ],
    [
      'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
      container({ seccompProfile: { type: 'Unconfined' } }),
    ],
    [
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
    ],
    [
      'forbidden sysctls (kernel.msgmax)',
      { securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_rmem' }] } },
    ],
    [
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
      { securityContext: { windowsOptions: { hostProcess: true } } },
    ],
    [
      'probe or lifecycle host (container "a" uses probe or lifecycle hosts "1.2.3.4", "b")',
      container(
        {},
        { livenessProbe: { httpGet: { host: '1.2.3.4' } }, lifecycle: { preStop: { tcpSocket: { host: 'b' } } } },
      ),
    ],
  ])('baseline finds %s', (text, spec) => {
    expect(violations('baseline', 36, spec)).toBe(text);
  });

  it('restricted asks for what baseline leaves open', () => {
    expect(violations('restricted', 36, { containers: [{ name: 'a' }], volumes: [{ name: 'v', nfs: {} }] })).toBe(
      [
        'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
        'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"])',
        'restricted volume types (volume "v" uses restricted volume type "nfs")',
        'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
        'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      ].join(', '),
    );
    expect(violations('restricted', 36, COMPLIANT)).toBe('');
    expect(
      violations('restricted', 36, { ...COMPLIANT, securityContext: { ...COMPLIANT.securityContext, runAsUser: 0 } }),
    ).toBe('runAsUser=0 (pod must not set runAsUser=0)');
  });

  it('is what its version made of it', () => {
    const spec = { ...container({ procMount: 'Unmasked' }), hostUsers: false };
    expect(violations('baseline', 34, spec)).toMatch('procMount');
    expect(violations('baseline', 35, spec)).toBe('');
    expect(violations('restricted', 35, spec)).toMatch('procMount');
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(violations('baseline', 18, {}, annotations)).toMatch('forbidden annotation');
    expect(violations('baseline', 19, {}, annotations)).toBe('');
    expect(violations('restricted', 24, { os: { name: 'windows' }, containers: [{ name: 'a' }] })).toMatch(
      'capabilities',
    );
    expect(violations('restricted', 25, { os: { name: 'windows' }, containers: [{ name: 'a' }] })).not.toMatch(
      'capabilities',
    );
  });
});

describe('the policy of a namespace', () => {
  it('warns as it enforces unless its labels say otherwise', () => {
    const { policy, errors } = securityPolicy(labelsOf({ enforce: 'baseline', 'enforce-version': 'v1.30' }));
    expect([levelText(policy.enforce), levelText(policy.warn), errors]).toStrictEqual([
      'baseline:v1.30',
      'baseline:v1.30',
      [],
    ]);
    const other = securityPolicy(labelsOf({ enforce: 'baseline', warn: 'restricted' })).policy;
    expect([levelText(other.enforce), levelText(other.warn)]).toStrictEqual(['baseline:latest', 'restricted:latest']);
  });

  it('is the strictest when its label cannot be read', () => {
    const { policy, errors } = securityPolicy(labelsOf({ enforce: 'x', warn: 'y', 'audit-version': '1.2' }));
    expect([levelText(policy.enforce), levelText(policy.warn)]).toStrictEqual([
      'restricted:latest',
      'privileged:latest',
    ]);
    expect(errors.map(({ field }) => field)).toStrictEqual(
      ['enforce', 'audit-version', 'warn'].map((mode) => `metadata.labels[${PREFIX}${mode}]`),
    );
  });
});

describe('PodSecurity', () => {
  let server: InProcessServer;
  let made = 0;

  beforeAll(async () => {
    server = await InProcessServer.start();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  async function namespace(modes: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `n${++made}`;
    await server.ok('POST', '/api/v1/namespaces', { metadata: { name, labels: labelsOf(modes) } });
    return `/api/v1/namespaces/${name}`;
  }

  function pod(path: string, name: string, spec: object = {}): Promise<Asked> {
    const body = { metadata: { name }, spec: { containers: [{ name: 'a', image: 'a' }], ...spec } };
    return server.ask('POST', `${path}/pods`, body);
  }

  it('refuses a Pod in a namespace that was made a moment ago', async () => {
    const path = await namespace({ enforce: 'baseline' });
    const refused = await pod(path, 'a', { hostPID: true });
    expect([refused.status, refused.body.message]).toStrictEqual([
      403,
      'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    ]);
    expect((await pod(path, 'a')).status).toBe(201);
  });

  it('warns about a Pod, and about a template even where Pods are refused', async () => {
    const path = await namespace({ warn: 'baseline' });
    const text = '299 - "would violate PodSecurity \\"baseline:latest\\": host namespaces (hostPID=true)"';
    expect((await pod(path, 'a', { hostPID: true })).headers['warning']).toBe(text);
    const strict = (await namespace({ enforce: 'baseline' })).replace('/api/v1', '/apis/batch/v1');
    const template = { spec: { restartPolicy: 'Never', hostPID: true, containers: [{ name: 'a', image: 'a' }] } };
    const job = await server.ask('POST', `${strict}/jobs`, { metadata: { name: 'j' }, spec: { template } });
    expect([job.status, job.headers['warning']]).toStrictEqual([201, text]);
  });

  it('looks at updates of images and at ephemeral containers, and at nothing else of an existing Pod', async () => {
    const path = await namespace();
    expect((await pod(path, 'a', { hostPID: true })).status).toBe(201);
    await server.ok('PATCH', path, { metadata: { labels: labelsOf({ enforce: 'baseline' }) } }, { type: MERGE });
    await server.ok('GET', '/api/v1/namespaces');
    await server.ok('PATCH', `${path}/pods/a`, { metadata: { labels: { a: 'b' } } }, { type: MERGE });
    await server.ok('PATCH', `${path}/pods/a/status`, { status: { phase: 'Running' } }, { type: MERGE });
    const image = { spec: { containers: [{ name: 'a', image: 'b' }] } };
    expect((await server.ask('PATCH', `${path}/pods/a`, image, { type: STRATEGIC })).status).toBe(403);
    const debug = { spec: { ephemeralContainers: [{ name: 'e', image: 'e' }] } };
    expect((await server.ask('PATCH', `${path}/pods/a/ephemeralcontainers`, debug, { type: STRATEGIC })).status).toBe(
      403,
    );
  });

  it('refuses wrong labels, and warns about Pods that are there when the level rises', async () => {
    const path = await namespace();
    for (const name of ['a', 'b', 'c']) await pod(path, name, { hostPID: true });
    await pod(path, 'd');
    await server.ok('GET', `${path}/pods`);
    const label = (modes: Readonly<Record<string, string>>): Promise<Asked> =>
      server.ask('PATCH', path, { metadata: { labels: labelsOf(modes) } }, { type: MERGE });
    const wrong = await label({ enforce: 'x' });
    expect([wrong.status, wrong.body.message]).toStrictEqual([
      422,
      expect.stringContaining('must be one of privileged, baseline, restricted'),
    ]);
    const name = path.split('/').at(-1);
    const raised = await label({ enforce: 'baseline' });
    expect(raised.headers['warning']).toBe(
      `299 - "existing pods in namespace \\"${name}\\" violate the new PodSecurity enforce level \\"baseline:latest\\"", 299 - "a (and 2 other pods): host namespaces"`,
    );
    expect((await label({ enforce: 'privileged' })).headers['warning']).toBeUndefined();
  });
});
