import { type ApiObject, resource, resourceVersion } from '@listwatch/api';
import type { WatcherEvent } from '@listwatch/runtime';
import { describe, expect, it } from 'vitest';
import { ChangeTracker } from './change-tracker.ts';

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

function pod(name: string, version: number, uid = `uid-${name}`): ApiObject {
  return { metadata: { namespace: 'a', name, uid, resourceVersion: String(version) } };
}

const init: WatcherEvent = { type: 'init' };
const initApply = (object: ApiObject): WatcherEvent => ({ type: 'initApply', object });
const initDone: WatcherEvent = { type: 'initDone', resourceVersion: resourceVersion('9') };
const apply = (object: ApiObject): WatcherEvent => ({ type: 'apply', object });
const gone = (object: ApiObject): WatcherEvent => ({
  type: 'delete',
  key: `a/${object.metadata.name}`,
  object,
  finalStateKnown: true,
});

/** The changes of some events, in short: `+a@1` is new, `~` changed, `-` deleted, `!` missed, `=` was there before. */
function tracked(events: readonly WatcherEvent[], isNew: (object: ApiObject) => boolean = () => false): string {
  const tracker = new ChangeTracker({ resource: pods, isNew });
  const signs = { ADDED: '+', MODIFIED: '~', DELETED: '-' };
  const changes = events.flatMap((event) => tracker.changes(event));
  return changes
    .map(({ type, object, initial, finalStateKnown }) => {
      const sign = initial ? '=' : finalStateKnown ? signs[type] : '!';
      return `${sign}${object.metadata.name}@${object.metadata.resourceVersion}`;
    })
    .join(' ');
}

describe('the changes of objects', () => {
  it('tell what was there from what is new, what changes and what goes', () => {
    const events = [init, initApply(pod('a', 1)), initDone, apply(pod('b', 2)), apply(pod('a', 3)), gone(pod('b', 4))];
    expect(tracked(events)).toBe('=a@1 +b@2 ~a@3 -b@4');
  });

  it('are told once when a list begins again', () => {
    const events = [init, initApply(pod('a', 1)), init, initApply(pod('a', 1)), initApply(pod('b', 2)), initDone];
    expect(tracked(events)).toBe('=a@1 =b@2');
  });

  it('of a later list are what differs from before: new, changed and vanished objects', () => {
    const first = [init, initApply(pod('a', 1)), initApply(pod('b', 2)), initApply(pod('c', 3)), initDone];
    const later = [init, initApply(pod('a', 1)), initApply(pod('b', 5)), initApply(pod('d', 6)), initDone];
    expect(tracked([...first, ...later])).toBe('=a@1 =b@2 =c@3 ~b@5 +d@6 !c@3');
  });

  it('show an object that was replaced by another of its name as both, the delete as missed', () => {
    const events = [init, initApply(pod('a', 1)), initDone, init, initApply(pod('a', 5, 'other')), initDone];
    expect(tracked(events)).toBe('=a@1 !a@1 +a@5');
  });

  it('believe the server where there was no list', () => {
    const made = pod('a', 2);
    const events = [apply(made), apply(pod('b', 3)), apply(pod('a', 4)), gone(pod('c', 5))];
    expect(tracked(events, (object) => object === made)).toBe('+a@2 ~b@3 ~a@4 -c@5');
  });

  it('of an object that leaves while it is listed are an add and a delete', () => {
    expect(tracked([init, initApply(pod('a', 1)), gone(pod('a', 2)), initDone])).toBe('=a@1 -a@2');
  });

  it('name a missed object as the server would', () => {
    const tracker = new ChangeTracker({ resource: pods, isNew: () => false });
    for (const event of [init, initApply(pod('a', 1)), initDone, init]) tracker.changes(event);
    expect(tracker.changes(initDone)).toEqual([
      {
        type: 'DELETED',
        object: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { namespace: 'a', name: 'a', uid: 'uid-a', resourceVersion: '1' },
        },
        initial: false,
        finalStateKnown: false,
      },
    ]);
    expect(tracker.size).toBe(0);
  });
});
