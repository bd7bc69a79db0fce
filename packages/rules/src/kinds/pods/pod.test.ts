import { describe, expect, it } from 'vitest';
import { pod } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const container = { name: 'c', image: 'i' };
const { strategy } = pod;

function withSpec(spec: object): { readonly spec: object } {
  return { spec: { containers: [container], ...spec } };
}

describe('a Pod', () => {
  it('that says least gets all defaults and waits', () => {
    expect(created(pod, { ...withSpec({}), status: { phase: 'Running' } })).toMatchObject({
      spec: {
        containers: [
          {
            ...container,
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
        enableServiceLinks: true,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  it('with gates says that it is not scheduled', () => {
    expect(created(pod, withSpec({ schedulingGates: [{ name: 'g' }] }))).toMatchObject({
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    });
  });

  it.each([
    ['no containers', { containers: [] }, 'spec.containers: Required value'],
    ['an unnamed container', { containers: [{ image: 'i' }] }, 'spec.containers[0].name: Required value'],
    ['no image', { containers: [{ name: 'c' }] }, 'spec.containers[0].image: Required value'],
    [
      'two containers of one name',
      { containers: [container, container] },
      'spec.containers[1].name: Duplicate value: "c"',
    ],
    [
      'an init container of that name',
      { initContainers: [container] },
      'spec.initContainers[0].name: Duplicate value: "c"',
    ],
    [
      'a bad policy',
      { restartPolicy: 'x' },
      'spec.restartPolicy: Unsupported value: "x": supported values: "Always", "OnFailure", "Never"',
    ],
    [
      'a bad pull policy',
      { containers: [{ ...container, imagePullPolicy: 'x' }] },
      'spec.containers[0].imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
    ],
    [
      'a port without a number',
      { containers: [{ ...container, ports: [{}] }] },
      'spec.containers[0].ports[0].containerPort: Required value',
    ],
    [
      'a port too high',
      { containers: [{ ...container, ports: [{ containerPort: 65_536 }] }] },
      'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
    ],
    [
      'a mount of nothing',
      { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ],
    [
      'a mount of a volume',
      { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }], volumes: [{ name: 'v' }] },
      '',
    ],
    [
      'a volume of two types',
      { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] },
      'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'a probe of an init container',
      { initContainers: [{ name: 'd', image: 'i', livenessProbe: {} }] },
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
    [
      'a probe of a sidecar',
      { initContainers: [{ name: 'd', image: 'i', livenessProbe: {}, restartPolicy: 'Always' }] },
      'spec.initContainers[0].livenessProbe: Required value: must specify a handler type',
    ],
    [
      'ephemeral containers',
      { ephemeralContainers: [{ name: 'e', image: 'i' }] },
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ],
    [
      'gates and a node',
      { nodeName: 'x', schedulingGates: [{ name: 'g' }] },
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
    [
      'a deadline of nothing',
      { activeDeadlineSeconds: 0 },
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
    ],
    [
      'a variable with =',
      { containers: [{ ...container, env: [{ name: 'a=b' }] }] },
      `spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
    ['a toleration of everything', { tolerations: [{ operator: 'Exists' }] }, ''],
    [
      'a toleration of nothing',
      { tolerations: [{}] },
      'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ])('with %s is validated', (_, spec, expected) => {
    expect(complaints(pod, withSpec(spec))).toBe(expected);
  });

  it('that mirrors what a kubelet runs is on a node', () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    const mirror = (spec: object): string => complaints(pod, withSpec(spec), { annotations });
    expect(mirror({})).toBe(
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    );
    expect(mirror({ nodeName: 'n' })).toBe('');
  });

  it('changes its image and not its node', () => {
    const old = created(pod, withSpec({}));
    expect(
      changeComplaints(pod, old, withSpec({ containers: [{ ...container, image: 'j', imagePullPolicy: 'Always' }] })),
    ).toBe('');
    const text = changeComplaints(pod, old, withSpec({ nodeName: 'n1' }));
    expect(text).toContain('spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,');
    expect(text).toContain('  spec.nodeName');
  });

  it.each([
    [
      'more containers',
      { containers: [container, { ...container, name: 'd' }] },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'blanks around an image',
      { containers: [{ ...container, image: ' i', imagePullPolicy: 'Always' }] },
      'spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace',
    ],
    [
      'a later deadline',
      { activeDeadlineSeconds: 11 },
      'spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value',
    ],
    ['an earlier deadline', { activeDeadlineSeconds: 9 }, ''],
    [
      'no deadline',
      { activeDeadlineSeconds: undefined },
      'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
    ],
    [
      'another toleration',
      {
        tolerations: [
          { key: 'k', operator: 'Exists' },
          { key: 'l', operator: 'Exists' },
        ],
      },
      '',
    ],
    [
      'a lost toleration',
      { tolerations: [] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    [
      'a new gate',
      { schedulingGates: [{ name: 'h' }] },
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
    ],
    ['an open gate', { schedulingGates: [] }, ''],
  ])('that gets %s is validated', (_, spec, expected) => {
    const base = {
      activeDeadlineSeconds: 10,
      tolerations: [{ key: 'k', operator: 'Exists' }],
      schedulingGates: [{ name: 'g' }],
    };
    const old = created(pod, withSpec(base));
    expect(changeComplaints(pod, old, withSpec({ ...base, ...spec }))).toBe(expected);
  });

  it('takes its status from /status and its spec from elsewhere', () => {
    const old = created(pod, withSpec({}));
    const wish = {
      ...old,
      spec: { ...withSpec({}).spec, nodeName: 'zz' },
      status: { phase: 'Running', podIP: '10.0.0.1' },
    };
    expect(strategy.prepareForStatusUpdate?.(wish, old, 0)).toMatchObject({
      spec: old['spec'],
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], qosClass: 'BestEffort' },
    });
    expect(strategy.prepareForUpdate(wish, old, 0)['status']).toEqual(old['status']);
  });

  it('keeps its owners when its status is written', () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'x', uid: 'u' };
    const old = created(pod, withSpec({}), { ownerReferences: [owner] });
    const changed = strategy.prepareForStatusUpdate?.({ ...old, metadata: { name: 'a' } }, old, 0);
    expect(changed?.metadata['ownerReferences']).toEqual([owner]);
  });

  it('is of a new generation when its spec changes, and not for its status', () => {
    const old = created(pod, withSpec({}));
    expect(strategy.raisesGeneration?.({ ...old, status: {} }, old)).toBe(false);
    expect(strategy.raisesGeneration?.({ ...old, spec: {} }, old)).toBe(true);
  });

  it.each([
    ['unscheduled', { spec: { terminationGracePeriodSeconds: 30 } }, undefined, 0],
    ['unscheduled', { spec: { terminationGracePeriodSeconds: 30 } }, 5, 0],
    ['running', { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } }, undefined, 30],
    ['running', { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } }, 5, 5],
    ['running', { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } }, 0, 0],
    ['running', { spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 } }, -1, 1],
    ['done', { spec: { nodeName: 'n' }, status: { phase: 'Succeeded' } }, 5, 0],
    ['failed', { spec: { nodeName: 'n' }, status: { phase: 'Failed' } }, 5, 0],
  ])('that is %s has its time to end: %j asked for %s', (_, fields, asked, expected) => {
    const object = { kind: 'Pod', apiVersion: 'v1', metadata: {}, ...fields };
    expect(strategy.gracePeriodSeconds?.(object, asked)).toBe(expected);
  });

  it('is found by the fields that schedulers and kubelets watch', () => {
    expect(pod.fieldsOf(created(pod, withSpec({ nodeName: 'n1', serviceAccount: 'sa', hostNetwork: true })))).toEqual({
      'spec.nodeName': 'n1',
      'spec.restartPolicy': 'Always',
      'spec.schedulerName': 'default-scheduler',
      'spec.serviceAccountName': 'sa',
      'spec.hostNetwork': 'true',
      'status.phase': 'Pending',
      'status.podIP': '',
      'status.nominatedNodeName': '',
    });
  });
});
