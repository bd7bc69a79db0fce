import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { pod } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, created } from '../../strategy/kind.fixture.ts';

const containers = [{ name: 'c', image: 'i' }];
const IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const FAMILIES = 'may specify no more than one IP for each IP family';

/** What is wrong with a status that replaces another one. */
function complaints(status: object, spec: object = {}, before: object = {}): string {
  const made = created(pod, { spec: { containers, ...spec } });
  const old = { ...made, status: { ...Object(made['status']), ...before } };
  const { prepareForStatusUpdate, validate } = pod.strategy;
  const sent = { ...old, status: { ...old.status, ...status } };
  const changed = prepareForStatusUpdate?.(sent, old, 0) ?? sent;
  return fieldErrorsText(validate(changed, old, 'status').errors);
}

describe('the status of a pod', () => {
  it.each([
    ['addresses of both families', { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, ''],
    [
      'two addresses of one family',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      `status.podIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}]: ${FAMILIES}`,
    ],
    ['a wrong address', { podIP: 'x' }, `status.podIPs[0]: Invalid value: "x": ${IP}`],
    [
      'a wrong second address',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: 'x' }] },
      `[status.podIPs[1]: Invalid value: "x": ${IP}, ` +
        'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x, ' +
        `status.podIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"x"}]: ${FAMILIES}]`,
    ],
    [
      'another host than the first',
      { hostIP: '10.0.0.2', hostIPs: [{ ip: '10.0.0.1' }] },
      'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
    ],
    [
      'requests of a claim for resources that no container has',
      {
        extendedResourceClaimStatus: {
          resourceClaimName: 'q',
          requestMappings: [
            { containerName: 'c', resourceName: 'a.b/c', requestName: 'r' },
            { containerName: 'd', resourceName: 'a.b/c', requestName: 'r' },
          ],
        },
      },
      '[status.extendedResourceClaimStatus.requestMappings[0].resourceName: Invalid value: "a.b/c": must match the extended resource name ' +
        'of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests, ' +
        'status.extendedResourceClaimStatus.requestMappings[1].containerName: Invalid value: "d": must match the name of an entry in ' +
        'spec.initContainers.name or spec.containers.name]',
    ],
    [
      'a claim without requests',
      { extendedResourceClaimStatus: { resourceClaimName: 'q', requestMappings: [] } },
      'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
    ],
    [
      'a claim that it does not have',
      { resourceClaimStatuses: [{ name: 'x' }] },
      'status.resourceClaimStatuses[0].name: Invalid value: "x": must match the name of an entry in `spec.resourceClaims`',
    ],
    [
      'an illegal condition',
      { conditions: [{ type: 'a b', status: 'True' }] },
      expect.stringContaining('status.conditions[0].Type: Invalid value: "a b": name part must consist of'),
    ],
    [
      'a generation below nothing',
      { observedGeneration: -1 },
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ],
  ])('with %s is validated', (_, status, expected) => {
    expect(complaints(status)).toEqual(expected);
  });

  it('nominates no node once the pod is bound', () => {
    expect(complaints({ nominatedNodeName: 'n' })).toBe('');
    expect(complaints({ nominatedNodeName: 'n' }, { nodeName: 'm' })).toBe(
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    );
  });

  it('may keep a wrong address', () => {
    const stored = { podIP: 'x', podIPs: [{ ip: 'x' }] };
    expect(complaints({ message: 'm' }, {}, stored)).toBe('');
  });
});

const required = (...terms: readonly object[]): object => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const term = (...keys: readonly string[]): object => ({
  matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })),
});

describe('a pod that waits for its gates', () => {
  const spec = {
    containers,
    nodeSelector: { a: 'b' },
    affinity: required(term('x')),
    schedulingGates: [{ name: 'g' }],
  };
  const place = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

  it.each([
    ['may ask for more', { nodeSelector: { a: 'b', c: 'd' }, affinity: required(term('x', 'y')) }, ''],
    [
      'may not ask for another label',
      { nodeSelector: { a: 'c' } },
      'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
    [
      'may not ask for less',
      { affinity: required(term('y')) },
      `${place}[0]: Invalid value: {"matchExpressions":[{"key":"y","operator":"Exists"}]}: only additions are allowed (no mutations or deletions)`,
    ],
    [
      'may not have another choice',
      { affinity: required(term('x'), term('y')) },
      expect.stringMatching(
        /nodeSelectorTerms: Invalid value: .*: no additions\/deletions to non-empty NodeSelectorTerms/,
      ),
    ],
    [
      'may not change its affinity to pods',
      { affinity: { ...required(term('x')), podAffinity: {} } },
      expect.stringContaining('spec: Forbidden: pod updates may not change fields other than'),
    ],
  ])('%s', (_, change, expected) => {
    const old = created(pod, { spec });
    expect(changeComplaints(pod, old, { spec: { ...Object(old['spec']), ...change } })).toEqual(expected);
  });

  it('is as fixed as others once the gates are open', () => {
    const { schedulingGates: _gates, ...open } = spec;
    const old = created(pod, { spec: open });
    const change = { spec: { ...Object(old['spec']), nodeSelector: { a: 'b', c: 'd' } } };
    expect(changeComplaints(pod, old, change)).toContain('spec: Forbidden: pod updates may not change fields');
  });
});
