/** Objects of kinds outside core, right and wrong, that both servers are sent: flow control. */

import type { KindBodies } from './kind-bodies.ts';

export const FLOW_CONTROL_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    bodies: [
      {
        spec: { priorityLevelConfiguration: { name: 'A' }, matchingPrecedence: 1, distinguisherMethod: { type: 'X' } },
      },
      { spec: { priorityLevelConfiguration: { name: 'x-none' }, matchingPrecedence: -1 } },
      { spec: { priorityLevelConfiguration: { name: 'x-none' }, matchingPrecedence: 20000 } },
      {
        spec: {
          priorityLevelConfiguration: { name: 'x-none' },
          rules: [
            {},
            {
              subjects: [
                { kind: 'X' },
                { kind: 'User' },
                { kind: 'Group', group: { name: '' }, user: { name: 'x' } },
                { kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: '' }, group: { name: 'g' } },
                { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'A' } },
              ],
              nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
            },
          ],
        },
      },
      {
        spec: {
          priorityLevelConfiguration: { name: 'x-none' },
          rules: [
            {
              subjects: [{ kind: 'User', user: { name: 'u' } }],
              resourceRules: [
                {},
                { verbs: ['*', 'get'], apiGroups: ['*', 'a'], resources: ['*', 'a'], namespaces: ['*', 'a'] },
                { verbs: ['x'], apiGroups: ['a'], resources: ['a'], namespaces: ['A'] },
              ],
              nonResourceRules: [
                {},
                { verbs: ['x'], nonResourceURLs: ['*', '/a'] },
                { verbs: ['get'], nonResourceURLs: ['', 'a', '/a b', '//a', '/a*', '/*/b/*', '/', '/ok/*'] },
              ],
            },
          ],
        },
      },
    ],
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    bodies: [
      {},
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
      { spec: { type: 'X' } },
      {
        spec: {
          type: 'Exempt',
          exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 },
          limited: { limitResponse: { type: 'Reject' } },
        },
      },
      {
        spec: {
          type: 'Limited',
          exempt: {},
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: -1,
            borrowingLimitPercent: -1,
            limitResponse: { type: 'X' },
          },
        },
      },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } } },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: -1, handSize: -1, queueLengthLimit: -1 } } },
        },
      },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 5 } } } } },
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: 1000000, handSize: 8 } } },
        },
      },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } } },
      { spec: { type: 'Limited', limited: {} } },
    ],
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    plural: 'apiservices',
    namespaced: false,
    bodies: [
      {
        metadata: { name: 'v1.a.b' },
        spec: {
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          service: { name: 's', namespace: 'n' },
          caBundle: 'YQ==',
        },
      },
      { metadata: { name: 'x' }, spec: {} },
      {
        metadata: { name: 'v1.a.b' },
        spec: {
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 0,
          versionPriority: 1001,
          service: { name: '', namespace: '', port: 70000 },
          insecureSkipTLSVerify: true,
          caBundle: 'YQ==',
        },
      },
      {
        metadata: { name: 'v1.a.b' },
        spec: {
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          caBundle: 'YQ==',
        },
      },
    ],
  },
];
