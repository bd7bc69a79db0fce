/** Objects of admission and of extensions with nearly every field. None of them matches a request of a test. */

import { type OwnedBody, owned } from '../kind-bodies/owned-body.ts';

const selector = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'NotIn', values: ['x'] }] };
const rule = {
  apiGroups: ['none.example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['things', 'things/status'],
  scope: 'Namespaced',
};
const condition = { name: 'example.com/c', expression: 'request.userInfo.username != "x"' };
const CERTIFICATE = btoa('-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n');
const webhooks = [
  {
    name: 'a.example.com',
    clientConfig: { service: { namespace: 'n', name: 's', path: '/p', port: 443 } },
    rules: [rule],
    failurePolicy: 'Ignore',
    matchPolicy: 'Exact',
    namespaceSelector: selector,
    objectSelector: selector,
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: 5,
    admissionReviewVersions: ['v1', 'v1beta1'],
    matchConditions: [condition],
  },
  {
    name: 'b.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/hook' },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  },
];
const matchConstraints = {
  namespaceSelector: selector,
  objectSelector: selector,
  resourceRules: [{ ...rule, resourceNames: ['a', 'b'] }],
  excludeResourceRules: [{ ...rule, resourceNames: ['c'] }],
  matchPolicy: 'Exact',
};
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const paramRef = { selector, namespace: 'n', parameterNotFoundAction: 'Deny' };
const variables = [{ name: 'v', expression: 'object.metadata.name' }];
const labelled = { metadata: { labels: { changed: 'yes' } } };
const readyCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

function admission(kind: string, plural: string, body: object, rest: object = {}): OwnedBody {
  return owned('admissionregistration.k8s.io/v1', kind, plural, false, body, { change: labelled, ...rest });
}

export const RICH_ADMISSION_BODIES: readonly OwnedBody[] = [
  admission('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', { webhooks }),
  admission('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', {
    webhooks: webhooks.map((webhook) => ({ ...webhook, reinvocationPolicy: 'IfNeeded' })),
  }),
  admission('ValidatingAdmissionPolicy', 'validatingadmissionpolicies', {
    spec: {
      paramKind,
      matchConstraints,
      variables,
      matchConditions: [condition],
      validations: [
        {
          expression: 'variables.v != params.metadata.name',
          message: 'm',
          messageExpression: '"a" + variables.v',
          reason: 'Forbidden',
        },
        { expression: 'true' },
      ],
      failurePolicy: 'Fail',
      auditAnnotations: [{ key: 'k', valueExpression: '"a"' }],
    },
  }),
  admission('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', {
    spec: { policyName: 'p', paramRef, matchResources: matchConstraints, validationActions: ['Deny', 'Audit'] },
  }),
  admission('MutatingAdmissionPolicy', 'mutatingadmissionpolicies', {
    spec: {
      paramKind,
      matchConstraints,
      variables,
      matchConditions: [condition],
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": variables.v}}}' },
        },
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]' },
        },
      ],
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
    },
  }),
  admission('MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings', {
    spec: { policyName: 'p', paramRef, matchResources: matchConstraints },
  }),
  owned(
    'apiregistration.k8s.io/v1',
    'APIService',
    'apiservices',
    false,
    {
      spec: {
        group: 'none.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'n', name: 's', port: 443 },
        caBundle: CERTIFICATE,
        insecureSkipTLSVerify: false,
      },
    },
    { name: 'v1.none.example.com', change: labelled },
  ),
  owned(
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'flowschemas',
    false,
    {
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 9000,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [
              { kind: 'User', user: { name: 'u' } },
              { kind: 'Group', group: { name: 'g' } },
              { kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: 's' } },
            ],
            resourceRules: [
              { verbs: ['get', 'list'], apiGroups: ['a.example.com'], resources: ['x'], namespaces: ['n'] },
              { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true },
            ],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x/*'] }],
          },
        ],
      },
    },
    { change: labelled, status: { conditions: [{ ...readyCondition, type: 'Dangling' }] } },
  ),
  owned(
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    false,
    {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 2,
          lendablePercent: 10,
          borrowingLimitPercent: 20,
          limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 } },
        },
      },
    },
    { change: labelled, status: { conditions: [readyCondition] } },
  ),
];

const properties = {
  text: {
    type: 'string',
    minLength: 1,
    maxLength: 10,
    pattern: '^a',
    enum: ['a', 'ab'],
    default: 'a',
    description: 'd',
  },
  number: { type: 'integer', format: 'int32', minimum: 1, maximum: 9, multipleOf: 2 },
  list: { type: 'array', maxItems: 3, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  map: {
    type: 'array',
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  },
  more: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  either: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
};

export const RICH_DEFINITION_BODIES: readonly OwnedBody[] = [
  owned(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
    {
      spec: {
        group: 'rich.example.com',
        scope: 'Namespaced',
        names: {
          plural: 'things',
          singular: 'thing',
          shortNames: ['th'],
          kind: 'Thing',
          listKind: 'ThingList',
          categories: ['all'],
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            deprecated: true,
            deprecationWarning: 'old',
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties,
                    required: ['text'],
                    'x-kubernetes-validations': [
                      { rule: 'self.text != "b"', message: 'm', reason: 'FieldValueInvalid', fieldPath: '.text' },
                    ],
                  },
                  status: {
                    type: 'object',
                    properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
                  },
                },
              },
            },
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.number',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            },
            additionalPrinterColumns: [
              { name: 'Text', type: 'string', jsonPath: '.spec.text', description: 'd', priority: 1, format: 'byte' },
            ],
          },
        ],
        conversion: { strategy: 'None' },
        preserveUnknownFields: false,
      },
    },
    { name: 'things.rich.example.com', change: labelled },
  ),
];
