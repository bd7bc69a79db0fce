/** Conversion between versions, as an API server asks for it. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { type Webhooks, webhooks } from '@listwatch/runtime/webhook';
import { expect, it } from 'vitest';
import { recordingLogger } from './webhook-reviews.ts';

interface Old extends ApiObject {
  readonly spec: { readonly keep: number };
}
interface Middle extends ApiObject {
  readonly spec: { readonly days: number };
}
interface New extends ApiObject {
  readonly spec: { readonly retention: { readonly days: number } };
}

function version<T extends ApiObject>(name: string, kind = 'Backup'): Resource<T> {
  return resource<T>({ group: 'example.com', version: name, plural: 'backups', kind, namespaced: true });
}
const kinds = { v1alpha1: version<Old>('v1alpha1'), v1beta1: version<Middle>('v1beta1'), v1: version<New>('v1') };

const { logger, lines } = recordingLogger();
const hooks = webhooks({ logger }).convert(kinds, {
  v1alpha1: { v1beta1: ({ spec }) => ({ spec: { days: spec.keep } }) },
  v1beta1: {
    v1alpha1: ({ spec }) => ({ spec: { keep: spec.days } }),
    v1: async ({ spec, metadata }) => {
      if (spec.days < 0) throw new Error('days are negative');
      return { spec: { retention: { days: spec.days } }, metadata: { labels: { ...metadata.labels, new: 'yes' } } };
    },
  },
  v1: { v1beta1: ({ spec }) => ({ spec: { days: spec.retention.days } }) },
});

async function convert(
  of: Webhooks,
  desired: string,
  ...objects: readonly unknown[]
): Promise<Record<string, unknown>> {
  const request = { uid: 'c-1', desiredAPIVersion: `example.com/${desired}`, objects };
  const body = JSON.stringify({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request });
  const headers = { 'content-type': 'application/json' };
  const answer = await of.handle(new Request('https://h.example.com/convert', { method: 'POST', headers, body }));
  expect(answer.status).toBe(200);
  const { kind, apiVersion, response } = JSON.parse(await answer.text());
  expect([kind, apiVersion, response.uid]).toEqual(['ConversionReview', 'apiextensions.k8s.io/v1', 'c-1']);
  return response;
}

const old = (name: string, keep: number, more: object = {}): object => ({
  apiVersion: 'example.com/v1alpha1',
  kind: 'Backup',
  metadata: { name, namespace: 'a', uid: `u-${name}`, labels: { a: 'b' }, ...more },
  spec: { keep },
});

const converted = (name: string): object => ({
  name,
  namespace: 'a',
  uid: `u-${name}`,
  labels: { a: 'b', new: 'yes' },
});

it('goes the shortest way, keeps the identity, and takes labels from a step', async () => {
  const already = { apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name: 'c' }, spec: {} };
  const { result, convertedObjects } = await convert(hooks, 'v1', old('a', 3), old('b', 4), already);
  expect(result).toEqual({ status: 'Success' });
  expect(convertedObjects).toEqual([
    { apiVersion: 'example.com/v1', kind: 'Backup', metadata: converted('a'), spec: { retention: { days: 3 } } },
    { apiVersion: 'example.com/v1', kind: 'Backup', metadata: converted('b'), spec: { retention: { days: 4 } } },
    already,
  ]);
});

it('converts a long list, in its order', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => old(`n${index}`, index));
  const { convertedObjects } = await convert(hooks, 'v1', ...many);
  expect(convertedObjects).toHaveLength(1000);
  expect(convertedObjects).toMatchObject({ 999: { metadata: { name: 'n999' }, spec: { retention: { days: 999 } } } });
});

it.each([
  ['a step that throws', 'v1', old('a', -1), 'Backup a/a: days are negative'],
  ['an unknown version', 'v9', old('a', 1), 'Backup a/a: no conversion of Backup from v1alpha1 to v9'],
  ['an unknown kind', 'v1', { ...old('a', 1), kind: 'Pod' }, 'Pod a/a: no conversion of Pod.example.com is registered'],
  ['what is no object', 'v1', 7, 'object 1 of the ConversionReview is no object'],
])('fails for %s, with the object in the message and a line in the log', async (_, desired, object, message) => {
  const before = lines.length;
  const response = await convert(hooks, desired, object);
  expect(response).toMatchObject({ result: { status: 'Failure', message }, convertedObjects: [] });
  expect(lines).toHaveLength(before + 1);
});

it('fails for an integer that JavaScript would round', async () => {
  const object = JSON.parse(JSON.stringify(old('a', 1)).replace('"keep":1', '"keep":9007199254740993'));
  const { result } = await convert(hooks, 'v1', object);
  expect(result).toMatchObject({
    message: 'Backup a/a: the integer at /spec/keep is beyond 2^53, which JavaScript cannot hold exactly',
  });
});

it.each<[string, () => unknown, string]>([
  ['one version', () => webhooks().convert({ v1: kinds.v1 }, { v1: {} }), 'two versions and more'],
  [
    'a pair without a way',
    () => webhooks().convert(kinds, { v1alpha1: {}, v1beta1: {}, v1: {} }),
    'no way from v1alpha1 to v1beta1',
  ],
  [
    'a name that is not the version',
    () => webhooks().convert({ v2: kinds.v1, v1beta1: kinds.v1beta1 }, { v2: {}, v1beta1: {} }),
    'the name must be the version',
  ],
  [
    'another kind',
    () => webhooks().convert({ v1: kinds.v1, v2: version('v2', 'Pod') }, { v1: {}, v2: {} }),
    'versions of one kind',
  ],
  [
    'a step to nowhere',
    // @ts-expect-error -- as a program without types may write it
    () => webhooks().convert(kinds, { v1: { v9: () => ({}) } }),
    'a step for v9, which is none of',
  ],
])('%s is refused when it is written', (_, act, message) => {
  expect(act).toThrow(message);
});
