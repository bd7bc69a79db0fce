/** Webhook configurations of either kind, right and wrong, that both servers are sent. */

export const WEBHOOK_BODIES: readonly object[] = [
  {},
  {
    webhooks: [
      { name: '', clientConfig: { url: 'https://h/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      { name: 'a.b', clientConfig: { url: 'https://h/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      { name: 'A_b.c.d', clientConfig: { url: 'https://h/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'Some',
        admissionReviewVersions: ['v2', 'v2', 'A'],
        failurePolicy: 'X',
        matchPolicy: 'X',
        timeoutSeconds: 31,
        reinvocationPolicy: 'X',
        namespaceSelector: { matchLabels: { 'a b': 'c' } },
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'X' }] },
      },
    ],
  },
  {
    webhooks: [
      { name: 'a.example.com', clientConfig: { url: 'https://h/' }, sideEffects: 'None', admissionReviewVersions: [] },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'http://h' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://u:p@h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/?a=b' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/#f' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      { name: 'a.example.com', clientConfig: { url: 'x' }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h:1/p' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { service: { name: '', namespace: '' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { service: { name: 's', namespace: 'n', port: 70000, path: 'a//B/' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { service: { name: 's', namespace: 'n', path: '//' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  { webhooks: [{ name: 'a.example.com', clientConfig: {}, sideEffects: 'None', admissionReviewVersions: ['v1'] }] },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [
          {},
          {
            apiGroups: ['*', 'a'],
            apiVersions: ['*', ''],
            operations: ['*', 'CREATE', 'X'],
            resources: ['*', 'x', ''],
            scope: 'X',
          },
          { apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*/*', 'a'] },
          { apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['a/*', 'a/b', '*/s', 'b/s'] },
        ],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [{ apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
      },
    ],
  },
  {
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://h/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions: [
          { name: '', expression: '' },
          { name: 'a', expression: 'true' },
          { name: 'a', expression: 'true' },
          { name: 'a b', expression: 'true' },
        ],
      },
    ],
  },
];
