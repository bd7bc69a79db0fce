/** Objects of kinds outside core, right and wrong, that both servers are sent: storage. */

import type { KindBodies } from './kind-bodies.ts';

export const STORAGE_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    namespaced: false,
    bodies: [
      { provisioner: 'a.b/c' },
      { provisioner: 'A b', parameters: { '': 'x' }, reclaimPolicy: 'Recycle', volumeBindingMode: 'X' },
      { provisioner: 'A.B/C' },
      { provisioner: 'a', reclaimPolicy: '', volumeBindingMode: '' },
      {
        provisioner: 'a',
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'a b', values: [] },
              { key: 'z', values: ['a', 'a'] },
              { key: 'z', values: ['b'] },
            ],
          },
          { matchLabelExpressions: [{ key: 'q', values: ['a', 'b'] }] },
          { matchLabelExpressions: [{ key: 'q', values: ['b', 'a'] }] },
        ],
      },
      { provisioner: 'a' },
    ],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          fsGroupPolicy: 'X',
          volumeLifecycleModes: ['Y'],
          tokenRequests: [
            { audience: 'a', expirationSeconds: 1 },
            { audience: 'a' },
            { audience: 'b', expirationSeconds: 9999999999 },
          ],
          nodeAllocatableUpdatePeriodSeconds: 1,
        },
      },
      { spec: { serviceAccountTokenInSecrets: true } },
      { spec: {} },
    ],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          drivers: [
            { name: '', nodeID: '' },
            { name: 'A_b', nodeID: 'x'.repeat(300), allocatable: { count: -1 } },
            { name: 'a', nodeID: 'n', topologyKeys: ['', 'k', 'k'] },
            { name: 'a', nodeID: 'n' },
          ],
        },
      },
      { spec: { drivers: [{ name: 'd', nodeID: 'n' }] } },
    ],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    namespaced: true,
    bodies: [
      { storageClassName: 'x', capacity: '-1', nodeTopology: { matchLabels: { 'a b': 'c' } } },
      { storageClassName: 'x' },
    ],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    bodies: [
      {},
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'A' } } },
      { spec: { attacher: `A_${'x'.repeat(70)}`, nodeName: 'n', source: { persistentVolumeName: 'p' } } },
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
    ],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    namespaced: false,
    bodies: [
      { driverName: 'd' },
      { driverName: 'A b', parameters: { '': 'x' } },
      { driverName: 'd', parameters: { a: 'b' } },
    ],
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    namespaced: false,
    bodies: [
      {},
      { value: 1, preemptionPolicy: 'X' },
      { metadata: { name: 'system-x' }, value: 1 },
      { value: 1, preemptionPolicy: '' },
      { value: 1 },
      { value: -5, description: 'x' },
    ],
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    bodies: [
      {
        handler: 'h',
        overhead: { podFixed: { cpu: '1' } },
        scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
      },
      {
        handler: 'h',
        overhead: { podFixed: { cpu: '-1' } },
        scheduling: {
          nodeSelector: { 'a b': 'c' },
          tolerations: [{ key: 'k', operator: 'Exists' }, { key: 'k', operator: 'Exists' }, { operator: 'X' }],
        },
      },
      { handler: 'h' },
    ],
  },
];
