import { resource } from '@listwatch/api';
import { expect, test } from 'vitest';
import { KIND_TABLE } from './generated/kind-table.ts';
import * as resources from './generated/resources.ts';

const byCoordinates = (left: object, right: object): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);

test('there is one constant for every kind, the same as resource() makes', () => {
  const expected = KIND_TABLE.map(({ group, version, plural, kind, namespaced }) =>
    resource({ group, version, plural, kind, namespaced }),
  );
  expect(Object.values(resources).toSorted(byCoordinates)).toEqual(expected.toSorted(byCoordinates));
  expect(Object.values(resources).every((one) => Object.isFrozen(one))).toBe(true);
});

test('the core group and the preferred version have the plain names', () => {
  expect(resources.events.group).toBe('');
  expect(resources.eventsV1Events.group).toBe('events.k8s.io');
  expect(resources.horizontalPodAutoscalers.version).toBe('v2');
  expect(resources.autoscalingV1HorizontalPodAutoscalers.version).toBe('v1');
});
