import { EVERY_FIELD, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { watchForm } from '../answer/watch-form.ts';
import type { CachedObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import { inScope, type WatchScope } from '../cache/watch-scope.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { storageCaches } from './cache-set.ts';
import { Channel } from './channel.ts';
import { ChannelIndex } from './channel-index.ts';

const FORM = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false } as const;
const { cache } = storageCaches({
  engine: createMemoryEngine(),
  definitions: [configMap],
  clock: new FakeClock(),
}).kind(configMap);

function channelOf({ namespace = '', name = '', labels = '', fields = '' }: Partial<Record<keyof WatchScope, string>>) {
  const selected = fields === '' ? EVERY_FIELD : parseFieldSelector(fields);
  const scope: WatchScope = { namespace, name, labels: parseLabelSelector(labels), fields: selected };
  return new Channel(cache.layout, scope, watchForm(cache, FORM));
}

function objectOf(namespace: string, name: string, labels: Readonly<Record<string, string>>, node = ''): CachedObject {
  const fields = { 'metadata.name': name, 'metadata.namespace': namespace, 'spec.nodeName': node };
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    namespace,
    name,
    revision: 1n,
    bytes: Buffer.alloc(0),
    labels,
    fields,
    owned: false,
  };
}

function visited(index: ChannelIndex, change: Pick<ObjectChange, 'object' | 'previous'>): readonly Channel[] {
  const found: Channel[] = [];
  index.visit({ key: 'x/a', revision: 1n, ...change }, (channel) => found.push(channel));
  return found;
}

/** `''`: of a kind without namespaces. */
const namespace = fc.constantFrom('x', 'y', '');
const value = fc.constantFrom('1', '2', '');
const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'constructor'), value, { noNullPrototype: true });
const node = fc.constantFrom('n1', 'n2', '');
const object = fc.tuple(namespace, fc.constantFrom('a', 'b'), labels, node).map((parts) => objectOf(...parts));
const selector = fc.constantFrom(
  '',
  'app=1',
  'app=2,tier=1',
  'app in (1),tier',
  'app!=1',
  'app',
  'constructor=1',
  'app=',
  'app=1,app=2',
);
const channel = fc
  .record({
    namespace: fc.oneof(fc.constant(''), namespace),
    name: fc.constantFrom('', '', 'a'),
    labels: selector,
    fields: fc.constantFrom('', '', 'spec.nodeName=n1', 'spec.nodeName!=n1'),
  })
  .map(channelOf);

it('a change visits every channel that it concerns, and none twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(channel, fc.boolean()), { maxLength: 20 }),
      fc.array(fc.tuple(object, object, fc.constantFrom('made', 'changed', 'deleted')), { maxLength: 10 }),
      (channels, changes) => {
        const index = new ChannelIndex();
        for (const [one] of channels) index.add(one);
        for (const [one, stays] of channels) if (!stays) index.remove(one);
        for (const [now, other, what] of changes) {
          // The two states of a change are of one object.
          const before = objectOf(now.namespace, now.name, other.labels ?? {}, other.fields['spec.nodeName']);
          const change = {
            object: what === 'deleted' ? undefined : now,
            previous: what === 'made' ? undefined : before,
          };
          const found = visited(index, change);
          expect(new Set(found).size).toBe(found.length);
          for (const [one, stays] of channels) {
            const concerns = [change.object, change.previous].some((state) => state && inScope(one.scope, state));
            if (stays && concerns) expect(found).toContain(one);
            if (!stays) expect(found).not.toContain(one);
          }
        }
        for (const [one, stays] of channels) if (stays) index.remove(one);
        expect(index.size).toBe(0);
      },
    ),
  );
});

it.each([
  ['a label', (i: number) => channelOf({ labels: `app=${i}` })],
  ['a label in one namespace', (i: number) => channelOf({ namespace: 'x', labels: `app=${i}` })],
  ['one label of all namespaces', (i: number) => channelOf({ namespace: `namespace-${i}`, labels: 'app=7' })],
  ['two labels, one of them the same', (i: number) => channelOf({ labels: `all=1,app=${i}` })],
  ['a field', (i: number) => channelOf({ fields: `spec.nodeName=${i}` })],
  ['a name', (i: number) => channelOf({ name: `object-${i}` })],
  ['a namespace and a name', (i: number) => channelOf({ namespace: 'x', name: `object-${i}` })],
  ['a namespace', (i: number) => channelOf({ namespace: `namespace-${i}` })],
])('a change visits few of a thousand channels that select by %s', (_, make) => {
  const index = new ChannelIndex();
  for (let i = 0; i < 1000; i += 1) index.add(make(i));
  const one = objectOf('x', 'a', { app: '7', all: '1' }, '7');
  expect(visited(index, { object: one, previous: one }).length).toBeLessThanOrEqual(2);
});

it('a channel that has left leaves nothing behind', () => {
  const index = new ChannelIndex();
  const one = channelOf({ labels: 'app=1' });
  const two = channelOf({ labels: 'app=1,tier=2' });
  for (const each of [one, two]) index.add(each);
  index.remove(one);
  const change = { object: objectOf('x', 'a', { app: '1', tier: '2' }), previous: undefined };
  expect(visited(index, change)).toEqual([two]);
  index.remove(two);
  expect(visited(index, change)).toEqual([]);
});

it.each([
  ['a label', { labels: 'app=1' }, { labels: 'app=2' }],
  ['a field', { fields: 'spec.nodeName=n1' }, { fields: 'spec.nodeName=n2' }],
  ['a name', { name: 'a' }, { name: 'b' }],
  ['a namespace and a name', { namespace: 'x', name: 'a' }, { namespace: 'x', name: 'b' }],
  ['a namespace', { namespace: 'x' }, { namespace: 'y' }],
  ['nothing', {}, { fields: 'spec.nodeName!=n1' }],
])('the index grows with channels that select by %s, and shrinks when they leave', (what, first, second) => {
  const index = new ChannelIndex();
  const [one, same, other] = [channelOf(first), channelOf(first), channelOf(second)];
  const sizes = [one, same, other].map((each) => {
    index.add(each);
    return index.size;
  });
  expect(sizes).toEqual(what === 'a label' ? [2, 3, 5] : what === 'nothing' ? [1, 1, 1] : [1, 1, 2]);
  // Found by what they select, as it is and as it was, and the other one is not.
  const found = objectOf('x', 'a', { app: '1' }, 'n1');
  const expected = what === 'nothing' ? [one, same, other] : [one, same];
  for (const change of [
    { object: found, previous: undefined },
    { object: undefined, previous: found },
    { object: found, previous: objectOf('x', 'a', {}) },
    { object: objectOf('x', 'a', {}), previous: found },
  ])
    expect(visited(index, change)).toEqual(expected);
  const left = [one, other, same, same].map((each) => {
    index.remove(each);
    return index.size;
  });
  expect(left).toEqual(what === 'a label' ? [4, 2, 0, 0] : what === 'nothing' ? [1, 1, 0, 0] : [2, 1, 0, 0]);
});

it('an object that loses all its labels is found by those that it had', () => {
  const index = new ChannelIndex();
  const one = channelOf({ labels: 'app=1' });
  index.add(one);
  const bare = { ...objectOf('x', 'a', {}), labels: undefined };
  expect(visited(index, { object: bare, previous: objectOf('x', 'a', { app: '1' }) })).toEqual([one]);
  expect(visited(index, { object: objectOf('x', 'a', { app: '1' }), previous: bare })).toEqual([one]);
});
