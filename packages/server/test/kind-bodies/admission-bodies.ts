/** Objects of kinds outside core, right and wrong, that both servers are sent: admission. */

import type { KindBodies } from './kind-bodies.ts';
import { WEBHOOK_BODIES } from './webhook-bodies.ts';

export const ADMISSION_BODIES: readonly KindBodies[] = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    bodies: WEBHOOK_BODIES,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
    bodies: WEBHOOK_BODIES,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [{ expression: 'true' }],
        },
      },
      { spec: { matchConstraints: {}, validations: [{ expression: 'true' }] } },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [
            { expression: '' },
            { expression: 'true', message: ' ', reason: 'X' },
            { expression: 'true', message: 'a\nb' },
          ],
          failurePolicy: 'X',
          paramKind: { apiVersion: 'a/b/c', kind: '' },
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [{ expression: 'true' }],
          paramKind: { apiVersion: 'A/B', kind: 'A b' },
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [{ expression: 'true' }],
          paramKind: { apiVersion: '', kind: 'ConfigMap' },
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [{ expression: 'true' }],
          paramKind: { apiVersion: '/', kind: 'ConfigMap' },
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [{ expression: 'true' }],
          variables: [
            { name: '', expression: '' },
            { name: 'in', expression: 'true' },
            { name: 'a-b', expression: 'true' },
            { name: 'ok', expression: '1' },
          ],
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          validations: [],
          auditAnnotations: [
            { key: 'a', valueExpression: '' },
            { key: 'a b', valueExpression: '"x"' },
            { key: 'a', valueExpression: '"x"' },
          ],
        },
      },
      {
        spec: {
          matchConstraints: {
            matchPolicy: 'X',
            resourceRules: [
              {
                apiGroups: ['x.y'],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['x'],
                resourceNames: ['a', 'a', 'b/c'],
              },
            ],
            excludeResourceRules: [
              { apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
    ],
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          policyName: 'A',
          validationActions: ['Deny', 'Warn', 'X', 'X'],
          paramRef: {},
          matchResources: { resourceRules: [{}] },
        },
      },
      {
        spec: {
          policyName: 'a',
          validationActions: ['Deny'],
          paramRef: { name: 'a/b', selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'X' },
        },
      },
      {
        spec: {
          policyName: 'a',
          validationActions: ['Audit'],
          paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
          matchResources: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
        },
      },
    ],
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          },
          reinvocationPolicy: 'Never',
          mutations: [
            { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "test", path: "/spec", value: "x"}]' } },
          ],
        },
      },
      {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['DELETE'], resources: ['x'] }],
          },
          reinvocationPolicy: 'X',
          mutations: [
            { patchType: '' },
            { patchType: 'X' },
            { patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } },
            { patchType: 'ApplyConfiguration', jsonPatch: { expression: 'x' } },
            { patchType: 'JSONPatch', jsonPatch: { expression: ' ' } },
          ],
        },
      },
    ],
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    namespaced: false,
    bodies: [
      {},
      {
        spec: {
          policyName: 'a',
          matchResources: {
            resourceRules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['DELETE'], resources: ['x'] }],
          },
        },
      },
      { spec: { policyName: 'a' } },
    ],
  },
];
