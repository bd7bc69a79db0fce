/** Objects of `resource.k8s.io` with nearly every field. */

import { type OwnedBody, owned } from '../kind-bodies/owned-body.ts';

const selector = { cel: { expression: 'device.driver == "gpu.example.com"' } };
const toleration = { key: 'example.com/k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 60 };
const config = { opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } };
const devices = {
  requests: [
    {
      name: 'exact',
      exactly: {
        deviceClassName: 'gpu.example.com',
        selectors: [selector],
        allocationMode: 'ExactCount',
        count: 2,
        tolerations: [toleration],
        capacity: { requests: { 'gpu.example.com/memory': '1Gi', plain: '2' } },
      },
    },
    {
      name: 'first',
      firstAvailable: [
        { name: 'a', deviceClassName: 'a.example.com', selectors: [selector], allocationMode: 'All' },
        { name: 'b', deviceClassName: 'b.example.com', count: 1, tolerations: [{ operator: 'Exists' }] },
      ],
    },
  ],
  constraints: [
    { requests: ['exact', 'first/a'], matchAttribute: 'gpu.example.com/model' },
    { requests: ['first'], distinctAttribute: 'gpu.example.com/id' },
  ],
  config: [{ requests: ['exact', 'first/b'], ...config }],
};
const nodeSelector = {
  nodeSelectorTerms: [
    {
      matchExpressions: [{ key: 'example.com/zone', operator: 'In', values: ['z'] }],
      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
    },
  ],
};
const pool = { name: 'p/q', generation: 1, resourceSliceCount: 1 };
const labelled = { metadata: { labels: { changed: 'yes' } } };

function slice(name: string, spec: object): OwnedBody {
  const body = { spec: { driver: 'gpu.example.com', pool, ...spec } };
  return owned('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices', false, body, { name, change: labelled });
}

export const RICH_DEVICE_BODIES: readonly OwnedBody[] = [
  owned(
    'resource.k8s.io/v1',
    'DeviceClass',
    'deviceclasses',
    false,
    { spec: { selectors: [selector], config: [config], extendedResourceName: 'example.com/gpu' } },
    { change: labelled },
  ),
  owned(
    'resource.k8s.io/v1',
    'ResourceClaim',
    'resourceclaims',
    true,
    { spec: { devices } },
    {
      change: labelled,
      status: {
        allocation: {
          devices: {
            results: [
              { request: 'exact', driver: 'gpu.example.com', pool: 'p', device: 'd', tolerations: [toleration] },
            ],
            config: [{ source: 'FromClaim', requests: ['exact'], ...config }],
          },
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
          },
        },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }],
        devices: [
          {
            driver: 'gpu.example.com',
            pool: 'p',
            device: 'd',
            data: { a: 1 },
            conditions: [
              { type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' },
            ],
            networkData: { interfaceName: 'eth0', ips: ['10.1.1.1/24', '2001:db8::1/64'], hardwareAddress: 'aa:bb' },
          },
        ],
      },
    },
  ),
  owned(
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    'resourceclaimtemplates',
    true,
    { spec: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { devices } } },
    { change: labelled },
  ),
  slice('rich', {
    nodeName: 'n',
    devices: [
      {
        name: 'd0',
        attributes: {
          'gpu.example.com/model': { string: 'm' },
          index: { int: 1 },
          fast: { bool: true },
          driverVersion: { version: '1.2.3-rc.1+build' },
        },
        capacity: {
          memory: {
            value: '1Gi',
            requestPolicy: { default: '1Mi', validRange: { min: '1Mi', max: '1Gi', step: '1Mi' } },
          },
          cores: { value: '4', requestPolicy: { default: '1', validValues: ['1', '2'] } },
        },
        allowMultipleAllocations: true,
      },
      {
        name: 'd1',
        taints: [{ key: 'example.com/k', value: 'v', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }],
        bindsToNode: true,
        bindingConditions: ['Ready'],
        bindingFailureConditions: ['Failed'],
      },
    ],
  }),
  slice('rich-nodes', {
    perDeviceNodeSelection: true,
    devices: [
      { name: 'all', allNodes: true },
      { name: 'one', nodeName: 'n' },
      { name: 'chosen', nodeSelector },
    ],
  }),
  slice('rich-counters', {
    nodeSelector,
    sharedCounters: [{ name: 'set', counters: { memory: { value: '10' }, cores: { value: '4' } } }],
  }),
  slice('rich-consumers', {
    allNodes: true,
    devices: [{ name: 'part', consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '2' } } }] }],
  }),
];
