import { describe, expect, it } from 'vitest';
import { event, eventsEvent } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const about = { kind: 'Pod', namespace: 'n', name: 'p' };
const times = { eventTime: '2024-01-01T00:00:00.000000Z' };
const reported = { reportingInstance: 'i', action: 'Act', reason: 'Because', type: 'Normal' };
const fresh = { ...times, ...reported, reportingController: 'example.com/c', regarding: about };

describe('an Event of the core group', () => {
  it.each([
    ['about an object of its namespace', { involvedObject: about }, ''],
    [
      'about one of another',
      { involvedObject: { ...about, namespace: 'x' } },
      'involvedObject.namespace: Invalid value: "x": does not match event.namespace',
    ],
    [
      'about the cluster outside of default',
      {},
      'involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ],
    [
      'of the new kind without a reporter',
      { involvedObject: about, ...times, ...reported },
      '[reportingComponent: Required value, reportingComponent: Invalid value: ""',
    ],
    ['of the new kind', { involvedObject: about, ...times, ...reported, reportingComponent: 'c' }, ''],
  ])('%s is validated', (_, fields, expected) => {
    const text = complaints(event, fields);
    expect(text.slice(0, expected.length)).toBe(expected);
    expect(text === '').toBe(expected === '');
  });

  it('about the cluster is at home in default', () => {
    expect(complaints(event, {}, { namespace: 'default' })).toBe('');
  });

  it('may have any name that fits a path', () => {
    expect(event.strategy.checkName('Pod A.17', false)).toEqual([]);
    expect(event.strategy.checkName('a/b', false)).toEqual(["may not contain '/'"]);
  });

  it('lives for an hour', () => {
    expect(event.strategy.ttlSeconds).toBe(3600);
  });

  it('is found by what it is about and by who reports it', () => {
    const object = created(event, { involvedObject: about, reason: 'R', source: { component: 'kubelet' } });
    expect(event.fieldsOf(object)).toMatchObject({ 'involvedObject.name': 'p', reason: 'R', source: 'kubelet' });
  });

  it('shows when it was seen, how often, and by whom', () => {
    const now = Date.parse('2024-01-01T01:00:00Z');
    const object = created(event, {
      involvedObject: { ...about, fieldPath: 'spec' },
      type: 'Normal',
      reason: 'R',
      message: ' hello\n',
      source: { component: 'kubelet', host: 'h' },
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: '2024-01-01T00:59:55Z',
      count: 4,
    });
    expect(event.columns.cells(object, now)).toEqual([
      '5s',
      'Normal',
      'R',
      'pod/p',
      'spec',
      'kubelet, h',
      'hello',
      '60m',
      4,
      'a',
    ]);
    const series = created(event, {
      ...times,
      series: { count: 9, lastObservedTime: '2024-01-01T00:59:50.000000Z' },
    });
    expect(event.columns.cells(series, now)).toMatchObject({ 0: '10s', 7: '60m', 8: 9 });
  });
});

describe('an Event of events.k8s.io', () => {
  it.each([
    ['that is whole', {}, ''],
    ['without its time', { eventTime: undefined }, 'eventTime: Required value'],
    ['of an unknown type', { type: 'Bad' }, 'type: Invalid value: "": has invalid value: Bad'],
    ['with an old count', { deprecatedCount: 2 }, 'count: Invalid value: "": needs to be unset'],
    ['with an old source', { deprecatedSource: { host: 'h' } }, 'source: Invalid value: "": needs to be unset'],
    [
      'with a series of one',
      { series: { count: 1, lastObservedTime: times.eventTime } },
      'series.count: Invalid value: "": should be at least 2',
    ],
    ['without an action', { action: '' }, 'action: Required value'],
    ['with a long note', { note: 'x'.repeat(1025) }, 'message: Invalid value: "": can have at most 1024 characters'],
  ])('%s is validated', (_, fields, expected) => {
    expect(complaints(eventsEvent, { ...fresh, ...fields })).toBe(expected);
  });

  it('changes in its series only', () => {
    const old = created(eventsEvent, fresh);
    const series = { count: 2, lastObservedTime: times.eventTime };
    expect(changeComplaints(eventsEvent, old, { series })).toBe('');
    expect(changeComplaints(eventsEvent, old, { reason: 'Other' })).toBe(
      'reason: Invalid value: "Other": field is immutable',
    );
  });

  it('is found by the same fields as one of the core group', () => {
    expect(eventsEvent.fieldsOf(created(eventsEvent, fresh))).toMatchObject({
      'involvedObject.kind': 'Pod',
      reportingComponent: 'example.com/c',
      source: 'example.com/c',
    });
  });
});
