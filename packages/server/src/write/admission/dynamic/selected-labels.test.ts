import { labelSelector } from '@listwatch/api';
import { builtInKind } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import { selectsNamespace } from './selected-labels.ts';

const SELECTOR = labelSelector({ matchExpressions: [{ key: 'ignored', operator: 'DoesNotExist' }] });

function requestIn(namespace: string): DynamicRequest {
  const definition = builtInKind('core/v1.ConfigMap');
  return {
    operation: 'DELETE',
    definition,
    kind: definition,
    subresource: '',
    namespace,
    name: 'a',
    object: undefined,
    old: undefined,
    options: undefined,
    user: { name: 'u', groups: [] },
    dryRun: false,
    warn: () => undefined,
    annotate: undefined,
    isRecorded: false,
    remainingMs: () => Infinity,
    signal: () => new AbortController().signal,
  };
}

it('a namespace that does not exist refuses the request: it does not keep a webhook from being asked', async () => {
  const selected = selectsNamespace(SELECTOR, requestIn('gone'), async () => undefined);
  const failure = { httpCode: 404, message: 'namespaces "gone" not found' };
  await expect(selected).rejects.toMatchObject(failure);
  expect(() => selectsNamespace(SELECTOR, requestIn('gone'), () => undefined)).toThrow(failure.message);
});

it('a namespace counts by its labels, and not at all without a selector', async () => {
  expect(await selectsNamespace(SELECTOR, requestIn('a'), async () => ({ ignored: 'yes' }))).toBe(false);
  expect(await selectsNamespace(SELECTOR, requestIn('a'), async () => ({}))).toBe(true);
  expect(selectsNamespace(SELECTOR, requestIn('a'), () => ({}))).toBe(true);
  expect(await selectsNamespace(undefined, requestIn('gone'), async () => undefined)).toBe(true);
});
