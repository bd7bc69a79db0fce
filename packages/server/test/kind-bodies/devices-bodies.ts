/** Objects of kinds outside core, right and wrong, that both servers are sent: devices. */

import type { KindBodies } from './kind-bodies.ts';

export const DEVICES_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    namespaced: false,
    bodies: [
      {},
      { spec: { selectors: [{}], config: [{}, { opaque: { driver: '' } }] } },
      { spec: { config: [{ opaque: { driver: 'd.e', parameters: { a: 1 } } }] } },
    ],
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    namespaced: true,
    bodies: [
      {},
      {
        spec: {
          devices: {
            requests: [
              { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'All' } },
              { name: 's', firstAvailable: [{ name: 'a', deviceClassName: 'c' }] },
            ],
          },
        },
      },
      {
        spec: {
          devices: {
            requests: [
              { name: 'A' },
              { name: 'r', exactly: { deviceClassName: '' }, firstAvailable: [{ name: 'a', deviceClassName: 'c' }] },
              { name: 'r', exactly: { deviceClassName: 'A', allocationMode: 'X', selectors: [{}] } },
              {
                name: 't',
                exactly: {
                  deviceClassName: 'a',
                  allocationMode: 'All',
                  count: 2,
                  tolerations: [
                    { key: 'a b', operator: 'Exists', value: 'v', effect: 'X' },
                    { operator: '' },
                    { operator: 'Y' },
                    { operator: 'Equal', value: 'a b' },
                  ],
                },
              },
              { name: 'u', exactly: { deviceClassName: 'a', count: -1 } },
            ],
          },
        },
      },
      {
        spec: {
          devices: {
            requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }],
            constraints: [{ requests: ['x', 'r', 'r', 'a/b/c'] }],
            config: [{ requests: ['y'], opaque: { driver: 'd', parameters: {} } }],
          },
        },
      },
      { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
    ],
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    namespaced: true,
    bodies: [
      {},
      { spec: { spec: { devices: { requests: [{ name: 'r' }] } } } },
      { spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } } },
    ],
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          driver: 'd.e',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeName: 'n',
          allNodes: true,
          devices: [{ name: 'A' }, { name: 'a' }, { name: 'a' }],
        },
      },
      {
        spec: {
          driver: 'd.e',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeName: '',
          allNodes: false,
        },
      },
      { spec: { driver: 'd.e', pool: { name: 'A/b', generation: -1, resourceSliceCount: 0 }, nodeName: 'n' } },
      { spec: { driver: 'd.e', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n' } },
      {
        spec: {
          driver: 'd.e',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeName: 'n',
          devices: [{ name: 'g', taints: [{ key: 'k', effect: 'NoSchedule' }] }],
        },
      },
    ],
  },
];
