import { requireStorableSize } from '@listwatch/rules/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Body, VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const PODS = '/api/v1/namespaces/x/pods';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const TOO_LARGE = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'etcdserver: request is too large',
  code: 500,
};

const podWith = (bytes: number): object => ({
  metadata: { name: 'a', finalizers: ['example.com/f'] },
  spec: { containers: [{ name: 'c', image: 'i', args: ['x'.repeat(bytes)] }] },
});

/** So many members, as many as a body may have, with keys of `length` characters: keys are what is counted twice first. */
function entries(count: number, length: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`k${String(index).padStart(length - 1, '0')}`, '']),
  );
}

function withContainer(members: object): object {
  return { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i', ...members }] } };
}

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

async function patch(subresource: string, type: string, body: object): Promise<Answer> {
  return server.call('PATCH', `${PODS}/a${subresource}`, { body, type });
}

describe('an object that etcd would refuse', () => {
  it('is refused with the answer of kube-apiserver when it is created', async () => {
    const { status, body } = await server.call('POST', PODS, { body: podWith(1_600_000) });
    expect([status, body]).toEqual([500, TOO_LARGE]);
    expect((await server.call('GET', `${PODS}/a`)).status).toBe(404);
  });

  const growth = 'y'.repeat(1_600_000);
  const status = { message: growth };

  it.each<[string, (pod: Body) => Promise<Answer>]>([
    ['PUT', (pod) => server.call('PUT', `${PODS}/a`, { body: withImage(pod) })],
    ['PUT of the status', () => server.call('PUT', `${PODS}/a/status`, { body: { metadata: { name: 'a' }, status } })],
    ['a merge patch', (pod) => patch('', MERGE, { spec: withImage(pod).spec })],
    ['a merge patch of the status', () => patch('/status', MERGE, { status })],
    ['a JSON patch', () => patch('', JSON_PATCH, [{ op: 'add', path: '/spec/containers/0/image', value: growth }])],
    ['a JSON patch of the status', () => patch('/status', JSON_PATCH, [{ op: 'add', path: '/status', value: status }])],
  ])('is refused when %s makes it grow, and stays as it was', async (_, send) => {
    const before = await server.ok('POST', PODS, { body: podWith(100) });
    const { status: code, body } = await send(before);
    expect([code, body]).toEqual([500, TOO_LARGE]);
    expect(await server.ok('GET', `${PODS}/a`)).toEqual(before);
  });

  it('is refused when copies make it grow', async () => {
    const container = { name: 'c', image: 'i', args: ['x'.repeat(200_000)] };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const path = '/apis/apps/v1/namespaces/x/deployments';
    await server.ok('POST', path, { body });
    const from = '/spec/template/spec/containers/0/args/0';
    const copies = Array.from({ length: 8 }, () => ({
      op: 'copy',
      from,
      path: '/spec/template/spec/containers/0/args/-',
    }));
    const answer = await server.call('PATCH', `${path}/d`, { body: copies, type: JSON_PATCH });
    expect([answer.status, answer.body]).toEqual([500, TOO_LARGE]);
  });

  it('is counted as it is stored, after defaults', async () => {
    // Each container takes 26 bytes in the body and 140 in the store.
    const containers = Array.from({ length: 12_000 }, (_, index) => ({ name: `c${index}`, image: 'i' }));
    const { body } = await server.call('POST', PODS, { body: { metadata: { name: 'a' }, spec: { containers } } });
    expect(body).toEqual(TOO_LARGE);
  });

  it('is refused in a dry run too', async () => {
    expect((await server.call('POST', `${PODS}?dryRun=All`, { body: podWith(1_600_000) })).body).toEqual(TOO_LARGE);
  });

  it('is refused by its keys alone, before it is built', async () => {
    const body = { metadata: { name: 'a' }, data: entries(24_000, 70) };
    const answer = await server.call('POST', MAPS, { body });
    expect(answer.body).toEqual(TOO_LARGE);
  });

  function withImage(pod: Body): Body {
    return { ...pod, spec: { ...pod.spec, containers: [{ ...pod.spec.containers[0], image: growth }] } };
  }
});

describe('an object just below the limit', () => {
  it.each<[string, string, object]>([
    ['many labels', MAPS, { metadata: { name: 'a', labels: entries(24_000, 58) } }],
    ['many keys', MAPS, { metadata: { name: 'a' }, data: entries(24_000, 58) }],
    [
      'many finalizers',
      MAPS,
      { metadata: { name: 'a', finalizers: Object.keys(entries(59_000, 20)).map((key) => `a/${key}`) } },
    ],
    ['many arguments', PODS, withContainer({ args: Array<string>(59_000).fill('a'.repeat(22)) })],
    [
      'many ports',
      PODS,
      withContainer({
        args: ['x'.repeat(630_000)],
        ports: Array.from({ length: 24_000 }, () => ({ containerPort: 1 })),
      }),
    ],
    ['many variables', PODS, withContainer({ env: Object.keys(entries(24_000, 50)).map((name) => ({ name })) })],
  ])('with %s is stored: its size is never overestimated', async (_, path, body) => {
    const { status, text } = await server.call('POST', path, { body });
    expect([status, text.length > 1_450_000 && text.length < 1_572_000]).toEqual([201, true]);
  });

  it('is stored, and can still be marked as deleted', async () => {
    await server.ok('POST', PODS, { body: podWith(1_571_000) });
    const deleted = await server.ok('DELETE', `${PODS}/a`);
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
  });

  it('leaves room for its key and the rest of the request', () => {
    const fits = 1.5 * 1024 * 1024 - 512 - 3 * 'key'.length;
    expect(() => requireStorableSize('key', fits)).not.toThrow();
    expect(() => requireStorableSize('key', fits + 1)).toThrow('etcdserver: request is too large');
  });
});
