import { labelSelector } from '@listwatch/api';
import { builtInKind } from '@listwatch/rules/internal';
import { expect, it, vi } from 'vitest';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import { isSelected } from './webhook-invocation.ts';

const hook = {
  namespaceSelector: labelSelector({ matchLabels: { team: 'blue' } }),
  objectSelector: labelSelector({ matchLabels: { mine: 'yes' } }),
};

function requestFor(labels: Readonly<Record<string, string>>): DynamicRequest {
  const definition = builtInKind('core/v1.ConfigMap');
  return {
    operation: 'CREATE',
    definition,
    kind: definition,
    subresource: '',
    namespace: 'gone',
    name: 'a',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels } },
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

it('a webhook that is not about the object asks for no namespace, so that one that is gone refuses nothing', () => {
  const namespaceLabels = vi.fn(() => undefined);
  expect(isSelected({ namespaceLabels }, { hook }, requestFor({ mine: 'no' }))).toBe(false);
  expect(namespaceLabels).not.toHaveBeenCalled();
  expect(() => isSelected({ namespaceLabels }, { hook }, requestFor({ mine: 'yes' }))).toThrow(
    expect.objectContaining({ httpCode: 404 }),
  );
});
