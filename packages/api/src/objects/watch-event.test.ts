import { describe, expect, test } from 'vitest';
import { failureStatus } from '../status/status.ts';
import {
  isInitialEventsEnd,
  isObjectEvent,
  isWatchEventType,
  WATCH_EVENT_TYPES,
  type WatchEvent,
} from './watch-event.ts';

const bookmark = (annotations?: Record<string, string>): WatchEvent => ({
  type: 'BOOKMARK',
  object: {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { resourceVersion: '120', ...(annotations ? { annotations } : {}) },
  },
});
const annotations = { 'k8s.io/initial-events-end': 'true' };

describe('the end of the initial events', () => {
  test.each<[string, WatchEvent, boolean]>([
    ['the annotated bookmark', bookmark(annotations), true],
    ['a plain bookmark', bookmark(), false],
    ['a bookmark with other annotations', bookmark({ a: 'b' }), false],
    ['a bookmark that says false', bookmark({ 'k8s.io/initial-events-end': 'false' }), false],
    ['an object that has the annotation', { type: 'ADDED', object: { metadata: { name: 'a', annotations } } }, false],
    ['an error', { type: 'ERROR', object: failureStatus({ code: 410, reason: 'Expired', message: '' }) }, false],
  ])('%s', (_name, event, isEnd) => {
    expect(isInitialEventsEnd(event)).toBe(isEnd);
  });
});

test('an object comes with ADDED, MODIFIED and DELETED, and with nothing else', () => {
  const object = { metadata: { name: 'a' } };
  const events: readonly WatchEvent[] = [
    { type: 'ADDED', object },
    { type: 'MODIFIED', object },
    { type: 'DELETED', object },
    bookmark(),
    { type: 'ERROR', object: failureStatus({ code: 410, reason: 'Expired', message: '' }) },
  ];
  expect(events.filter(isObjectEvent).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
});

describe('types of events', () => {
  test.each(WATCH_EVENT_TYPES)('%s is one', (type) => {
    expect(isWatchEventType(type)).toBe(true);
  });

  test.each(['', 'added', 'SYNC', 'toString', 1, undefined])('%j is none', (type) => {
    expect(isWatchEventType(type)).toBe(false);
  });
});
