import type { TypeName } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-object.ts';
import { kindWarnings } from './kind-warnings.ts';

function whole(fields: object): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, ...fields };
}

function warningsOf(type: TypeName, object: object, old?: object): readonly string[] {
  return kindWarnings(type)?.(whole(object), old && whole(old)) ?? [];
}

function podWarningsOf(spec: object): readonly string[] {
  return warningsOf('core/v1.Pod', { spec: { containers: [{ name: 'a' }], ...spec } });
}

const NONE = 'a null labelSelector results in matching no pod';
const OLD_OS = 'deprecated since v1.14; use "kubernetes.io/os" instead';

describe('warnings about a Pod', () => {
  it.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }, [`spec.nodeSelector[beta.kubernetes.io/os]: ${OLD_OS}`]],
    [
      { topologySpreadConstraints: [{ topologyKey: 'beta.kubernetes.io/os' }] },
      [
        `spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/os is ${OLD_OS}`,
        `spec.topologySpreadConstraints[0].labelSelector: ${NONE}`,
      ],
    ],
    [
      { hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }, { ip: '2001:DB8::1' }] },
      [
        'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
        'spec.hostAliases[2].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    ],
    [
      { containers: [{ resources: { limits: { memory: '1500m' } } }] },
      ['spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer'],
    ],
    [
      { containers: [{ env: [{ name: 'A' }, { name: 'A', value: '$(A)x' }, { name: 'A', value: '$(A)' }] }] },
      ['spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      { volumes: [{ name: 'g', gitRepo: {} }] },
      ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
    ],
    [
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } },
      [`spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: ${NONE}`],
    ],
  ])('%j', (spec, expected) => {
    expect(podWarningsOf(spec)).toStrictEqual(expected);
  });

  it('tell ports apart', () => {
    const ports = [
      { containerPort: 80, protocol: 'TCP', name: 'x' },
      { containerPort: 80, protocol: 'TCP', hostPort: 80 },
      { containerPort: 80, protocol: 'UDP', name: 'x' },
      { containerPort: 81, protocol: 'TCP', hostIP: '1.2.3.4' },
    ];
    const place = 'spec.containers[0].ports';
    expect(podWarningsOf({ containers: [{ ports }, { ports: ports.slice(0, 1) }] })).toStrictEqual([
      `${place}[1]: overlapping port definition with ${place}[0]`,
      `${place}[3]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.2.3.4}`,
      `spec.containers[1].ports[0]: duplicate port definition with ${place}[0]`,
      `spec.containers[1].ports[0]: overlapping port definition with ${place}[1]`,
      `${place}[2]: duplicate port name "x" with ${place}[0], services and probes that select ports by name will use ${place}[0]`,
      `spec.containers[1].ports[0]: duplicate port name "x" with ${place}[0], services and probes that select ports by name will use ${place}[0]`,
    ]);
  });

  it('find paths of a volume that are below each other, in the order of the files', () => {
    const items = ['p', 'p/q', 'z', 'p/'].map((path) => ({ path }));
    const text = 'volume "v" (ConfigMap "m"): overlapping paths:';
    expect(podWarningsOf({ volumes: [{ name: 'v', configMap: { name: 'm', items } }] })).toStrictEqual([
      `${text} "p/q" with "p"`,
      `${text} "p" with "p"`,
      `${text} "p" with "p/q"`,
    ]);
  });

  it('read a path of a million slashes in one go', () => {
    // A regular expression for the slashes at the end would start at each of them: minutes.
    const items = [{ path: `p${'/'.repeat(1_000_000)}x` }, { path: `p${'/'.repeat(1_000_000)}` }];
    expect(podWarningsOf({ volumes: [{ name: 'v', configMap: { items } }] })).toHaveLength(1);
  });

  it('are at most a hundred, also where every pair of thousands is odd', () => {
    const items = Array.from({ length: 20_000 }, () => ({ path: 'a/b/c' }));
    const ports = Array.from({ length: 20_000 }, () => ({ containerPort: 80, protocol: 'TCP' }));
    const spec = { volumes: [{ name: 'v', configMap: { items } }], containers: [{ ports }] };
    expect(podWarningsOf(spec)).toHaveLength(100);
  });
});

describe('warnings about other kinds', () => {
  const template = { spec: { nodeSelector: { 'beta.kubernetes.io/os': 'x' } } };
  const about = `spec.template.spec.nodeSelector[beta.kubernetes.io/os]: ${OLD_OS}`;

  function workload(generation: number): object {
    return { metadata: { name: 'a.b', generation }, spec: { template } };
  }

  it.each(['apps/v1.Deployment', 'apps/v1.ReplicaSet', 'batch/v1.Job', 'core/v1.ReplicationController'] as const)(
    '%s: its name, and its template when the spec is new',
    (type) => {
      expect(warningsOf(type, workload(1))).toStrictEqual([
        expect.stringMatching(/^metadata.name: this is used in Pod/),
        about,
      ]);
      expect(warningsOf(type, workload(2), workload(1))).toStrictEqual([about]);
      expect(warningsOf(type, workload(1), workload(1))).toStrictEqual([]);
    },
  );

  it.each<readonly [TypeName, object, string]>([
    [
      'core/v1.Service',
      { spec: { externalIPs: ['1.2.3.4'] } },
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [
      'core/v1.Service',
      { spec: { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'ClientIP' } },
      'spec.SessionAffinity is ignored for headless services',
    ],
    [
      'core/v1.Service',
      { spec: { loadBalancerSourceRanges: ['2001:DB8::/32'] } },
      'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
    ],
    [
      'core/v1.PersistentVolume',
      { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    ],
    [
      'core/v1.PersistentVolumeClaim',
      { spec: { resources: { requests: { storage: '1.5' } } } },
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ],
    [
      'networking/v1.Ingress',
      { metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } } },
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ],
    [
      'networking/v1.NetworkPolicy',
      { spec: { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8' } }] }] } },
      'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    ],
    ['discovery/v1.EndpointSlice', { addressType: 'FQDN' }, 'spec.addressType: FQDN endpoints are deprecated'],
    [
      'core/v1.Node',
      { spec: { externalID: 'x' } },
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    ],
  ])('%s %j', (type, object, text) => {
    expect(warningsOf(type, object)).toStrictEqual([text]);
  });

  it.each(['Policy', 'PolicyBinding', 'WebhookConfiguration'])(
    'a name of admission objects that is kept for files (%s)',
    (suffix) => {
      for (const prefix of ['Mutating', 'Validating']) {
        const kind = suffix === 'WebhookConfiguration' ? suffix : `Admission${suffix}`;
        const type: TypeName = `admissionregistration/v1.${prefix}${kind}`;
        const named = { metadata: { name: 'a.static.k8s.io' } };
        const text =
          'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';
        expect(warningsOf(type, named)).toStrictEqual([text]);
        expect(warningsOf(type, named, named)).toStrictEqual([text]);
        expect(warningsOf(type, { metadata: { name: 'static.k8s.io' } })).toStrictEqual([]);
      }
    },
  );
});
