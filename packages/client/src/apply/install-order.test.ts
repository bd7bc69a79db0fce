import { expect, test } from 'vitest';
import { inInstallOrder } from './install-order.ts';

const kinds = (...names: readonly string[]) => inInstallOrder(names.map((kind) => ({ kind }))).map(({ kind }) => kind);

test('what others need comes first, what is unknown late, and webhooks last', () => {
  const sorted = ['Namespace', 'CustomResourceDefinition', 'ServiceAccount', 'ConfigMap', 'Role', 'RoleBinding'];
  const later = ['Service', 'Deployment', 'Ingress', 'Widget', 'ValidatingWebhookConfiguration'];
  expect(kinds(...[...sorted, ...later].toReversed())).toEqual([...sorted, ...later]);
});

test('objects of the same kind, and of unknown ones, keep their order', () => {
  const objects = ['b', 'a', 'c'].map((name) => ({ kind: name === 'c' ? 'B' : 'A', name }));
  expect(inInstallOrder(objects)).toEqual(objects);
});
