import { describe, expect, it } from 'vitest';
import { configMaps, pods } from '../core-resources.ts';
import { deletionConditions } from './deletion-conditions.ts';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:01:00Z';
const shown = (conditions: ReturnType<typeof deletionConditions>) =>
  Object.fromEntries(conditions.map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]));
const left = (count: number) => ({
  remains: [{ resource: configMaps, count, finalizers: new Map<string, number>(), estimateSeconds: 15 }],
});

describe('the conditions of a terminating namespace', () => {
  it('name what cannot be discovered, deleted and what is left, sorted', () => {
    const conditions = deletionConditions(
      [],
      {
        discovery: new Error('no metrics'),
        remains: [
          {
            resource: pods,
            count: 2,
            finalizers: new Map([['b/f', 1]]),
            estimateSeconds: 0,
            error: new Error('no pods'),
          },
          {
            resource: configMaps,
            count: 1,
            finalizers: new Map([['a/f', 1]]),
            estimateSeconds: 0,
            error: new Error('no'),
          },
        ],
      },
      NOW,
    );
    expect(shown(conditions)).toEqual({
      NamespaceDeletionDiscoveryFailure: 'True DiscoveryFailed: no metrics',
      NamespaceDeletionGroupVersionParsingFailure:
        'False ParsedGroupVersions: All legacy kube types successfully parsed',
      NamespaceDeletionContentFailure:
        'True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: no, no pods',
      NamespaceContentRemaining:
        'True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances, pods. has 2 resource instances',
      NamespaceFinalizersRemaining:
        'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a/f in 1 resource instances, b/f in 1 resource instances',
    });
  });

  it('change their time only with their status, and stay the same array when nothing has changed', () => {
    const other = { type: 'Other', status: 'True' } as const;
    const first = deletionConditions([other], left(2), NOW);
    expect(first[0]).toBe(other);
    expect(deletionConditions(first, left(2), LATER)).toBe(first);
    const timeOf = (conditions: typeof first) =>
      conditions.find(({ type }) => type === 'NamespaceContentRemaining')?.lastTransitionTime;
    const second = deletionConditions(first, left(1), LATER);
    expect([second === first, timeOf(second)]).toEqual([false, NOW]);
    const third = deletionConditions(second, { remains: [] }, LATER);
    expect(timeOf(third)).toBe(LATER);
    expect(shown(third)['NamespaceFinalizersRemaining']).toBe(
      'False ContentHasNoFinalizers: All content-preserving finalizers finished',
    );
  });
});
