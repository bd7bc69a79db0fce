import { describe, expect, it } from 'vitest';
import { event, eventsEvent } from '../../strategy/built-in-definitions.fixture.ts';
import { created } from '../../strategy/kind.fixture.ts';

const FULL = {
  involvedObject: { kind: 'Pod', namespace: 'n', name: 'p' },
  reason: 'R',
  message: 'm',
  source: { component: 'kubelet', host: 'h' },
  firstTimestamp: '2024-01-01T00:00:00Z',
  lastTimestamp: '2024-01-01T00:00:01Z',
  count: 2,
  type: 'Normal',
  eventTime: '2024-01-01T00:00:00.000000Z',
  series: { count: 2, lastObservedTime: '2024-01-01T00:00:00.000000Z' },
  action: 'A',
  related: { kind: 'Node', name: 'x' },
  reportingComponent: 'c',
  reportingInstance: 'i',
};

describe('an event in the words of the other group', () => {
  it('says the same, field by field', () => {
    const converted = eventsEvent.convert?.(created(event, FULL));
    expect(converted).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: FULL.involvedObject,
      note: 'm',
      deprecatedSource: FULL.source,
      deprecatedFirstTimestamp: FULL.firstTimestamp,
      deprecatedLastTimestamp: FULL.lastTimestamp,
      deprecatedCount: 2,
      reportingController: 'c',
      related: FULL.related,
      series: FULL.series,
    });
    for (const name of ['involvedObject', 'message', 'source', 'firstTimestamp', 'count', 'reportingComponent']) {
      expect(converted).not.toHaveProperty(name);
    }
  });

  it('is what it was when it comes back', () => {
    const one = created(event, FULL);
    expect(event.convert?.(eventsEvent.convert?.(one) ?? one)).toEqual(one);
    const sparse = created(event, { involvedObject: FULL.involvedObject });
    expect(event.convert?.(eventsEvent.convert?.(sparse) ?? sparse)).toEqual(sparse);
  });
});
