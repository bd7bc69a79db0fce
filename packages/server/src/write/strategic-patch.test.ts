import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Body, VerbFixture } from './verb.fixture.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';
const MAP = '/api/v1/namespaces/x/configmaps/a';
const DEPLOYMENT = '/apis/apps/v1/namespaces/x/deployments/d';

const WEB = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'a', image: 'i', args: ['x'], env: [{ name: 'E', value: '1' }] },
          { name: 'b', image: 'i' },
        ],
        volumes: [{ name: 'v', configMap: { name: 'm' } }],
      },
    },
  },
};

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
  await server.ok('POST', '/api/v1/namespaces/x/configmaps', { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
  await server.ok('POST', '/apis/apps/v1/namespaces/x/deployments', { body: WEB });
});

function patch(path: string, body: unknown, query = ''): Promise<Answer> {
  return server.call('PATCH', `${path}${query}`, { type: STRATEGIC, body });
}

/** A patch of the Pods of the Deployment. */
function ofPods(spec: object): object {
  return { spec: { template: { spec } } };
}

async function patchedPods(spec: object): Promise<Body> {
  const { status, body } = await patch(DEPLOYMENT, ofPods(spec));
  expect([status, body.message]).toEqual([200, undefined]);
  expect(await server.ok('GET', DEPLOYMENT)).toEqual(body);
  return body.spec.template.spec;
}

describe('a strategic merge patch', () => {
  it('merges containers by name and keeps the rest of them', async () => {
    const { containers } = await patchedPods({
      containers: [{ name: 'a', image: 'j', env: [{ name: 'F', value: '2' }] }],
    });
    expect(containers).toMatchObject([
      {
        name: 'a',
        image: 'j',
        args: ['x'],
        env: [
          { name: 'F', value: '2' },
          { name: 'E', value: '1' },
        ],
      },
      { name: 'b', image: 'i' },
    ]);
  });

  it('deletes, adds and orders containers, and sets the defaults of a new one', async () => {
    const { containers } = await patchedPods({
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }],
      containers: [
        { name: 'c', image: 'i' },
        { name: 'a', $patch: 'delete' },
      ],
    });
    expect(containers).toMatchObject([{ name: 'c', terminationMessagePath: '/dev/termination-log' }, { name: 'b' }]);
  });

  it('replaces the source of a volume when it names what it retains', async () => {
    const { volumes } = await patchedPods({
      volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }],
    });
    expect(volumes).toEqual([{ name: 'v', emptyDir: {} }]);
  });

  it('raises the generation once, and not for a patch without a change', async () => {
    expect((await patch(DEPLOYMENT, { spec: { replicas: 3 } })).body.metadata.generation).toBe(2);
    const before = await server.ok('GET', DEPLOYMENT);
    expect((await patch(DEPLOYMENT, { spec: { replicas: 3 } })).body).toEqual(before);
    expect((await patch(DEPLOYMENT, null)).body).toEqual(before);
    expect(await server.ok('GET', DEPLOYMENT)).toEqual(before);
  });

  it('of the status changes the status only', async () => {
    const { body } = await patch(`${DEPLOYMENT}/status`, { spec: { replicas: 9 }, status: { replicas: 5 } });
    expect([body.spec.replicas, body.status.replicas]).toEqual([1, 5]);
    expect((await patch(DEPLOYMENT, { status: { replicas: 7 } })).body.status.replicas).toBe(5);
  });

  it('a dry run shows the change and stores nothing', async () => {
    const before = await server.ok('GET', MAP);
    expect((await patch(MAP, { data: { k: '2' } }, '?dryRun=All')).body.data).toEqual({ k: '2' });
    expect(await server.ok('GET', MAP)).toEqual(before);
  });

  it('ignores another kind and apiVersion, as kube-apiserver does', async () => {
    const { status, body } = await patch(MAP, { kind: 'Secret', apiVersion: 'v9', data: { k: '2' } });
    expect([status, body.kind, body.apiVersion, body.data]).toEqual([200, 'ConfigMap', 'v1', { k: '2' }]);
  });

  it('with the current version is taken, and again is not', async () => {
    const { metadata } = await server.ok('GET', MAP);
    const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { k: '2' } };
    expect((await patch(MAP, body)).status).toBe(200);
    expect((await patch(MAP, { ...body, data: { k: '3' } })).status).toBe(409);
  });

  it('warns of unknown fields in their order, after those that are given twice', async () => {
    const { status, headers } = await patch(MAP, '{"zz":1,"data":{"k":"1","k":"2"},"aa":1}');
    expect(status).toBe(200);
    const expected = ['duplicate field \\"data.k\\"', 'unknown field \\"aa\\"', 'unknown field \\"zz\\"'];
    expect(headers['warning']).toBe(expected.map((text) => `299 - "${text}"`).join(', '));
    expect((await patch(MAP, { zz: 1 }, '?fieldValidation=Ignore')).headers['warning']).toBeUndefined();
  });

  it('of a missing object is 404, whatever the patch is', async () => {
    expect((await patch('/api/v1/namespaces/x/configmaps/nope', '{')).status).toBe(404);
  });
});

/** Facts from kube-apiserver 1.36. */
describe('a strategic merge patch is refused', () => {
  it.each([
    [MAP, '{', 400, 'unexpected end of JSON input'],
    [MAP, '', 400, 'unexpected end of JSON input'],
    [MAP, '[]', 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [MAP, { metadata: { name: 'z' } }, 400, 'the name of the object (z) does not match the name on the URL (a)'],
    [
      MAP,
      { $patch: 'delete' },
      400,
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [DEPLOYMENT, { spec: { strategy: { $retainKeys: 'x' } } }, 400, 'invalid patch format of retainKeys'],
    [DEPLOYMENT, ofPods({ $setElementOrder: [] }), 400, 'invalid patch format of setElementOrder list'],
    [
      DEPLOYMENT,
      ofPods({ containers: [{ name: {} }] }),
      400,
      'the merge key name of an item is not a scalar: map[name:map[]]',
    ],
    [MAP, { data: { $patch: 'frob' } }, 500, 'unknown patch type: frob in map: map[$patch:frob]'],
    [
      DEPLOYMENT,
      ofPods({ containers: [{ image: 'i' }] }),
      500,
      'map: map[image:i] does not contain declared merge key: name',
    ],
    [
      DEPLOYMENT,
      ofPods({ '$setElementOrder/nope': [{}] }),
      500,
      'unable to find api field in struct PodSpec for the json field "nope"',
    ],
    [MAP, { kind: 5 }, 422, invalid('map[kind:5]', 'cannot convert int64 to string')],
    [MAP, { data: { k: 5 } }, 422, invalid('map[data:map[k:5]]', 'cannot convert int64 to string')],
    [MAP, { data: { k: true } }, 422, invalid('map[data:map[k:true]]', 'unrecognized type: string')],
    [MAP, { data: ['a'] }, 422, invalid('map[data:[a]]', 'cannot restore map from slice')],
    [
      MAP,
      { binaryData: { k: '%%' } },
      422,
      invalid('map[binaryData:map[k:%%]]', 'error decoding from json: illegal base64 data at input byte 0'),
    ],
    [DEPLOYMENT, { spec: [] }, 422, invalid('map[spec:[]]', 'cannot restore struct from: slice')],
    [DEPLOYMENT, { spec: { replicas: 'x' } }, 422, invalid('map[spec:map[replicas:x]]', 'unrecognized type: int32')],
    [
      DEPLOYMENT,
      { spec: { replicas: 1.5 } },
      422,
      invalid('map[spec:map[replicas:1.5]]', 'cannot convert float64 to int32'),
    ],
    [
      DEPLOYMENT,
      { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      422,
      invalid(
        'map[spec:map[strategy:map[rollingUpdate:map[maxSurge:true]]]]',
        'json: cannot unmarshal bool into Go value of type int32',
      ),
    ],
    [
      DEPLOYMENT,
      { metadata: { creationTimestamp: 5 } },
      422,
      invalid('map[metadata:map[creationTimestamp:5]]', 'json: cannot unmarshal number into Go value of type string'),
    ],
    [
      DEPLOYMENT,
      ofPods({ containers: [{ name: 'a', imagePullPolicy: 5 }] }),
      422,
      invalid(
        'map[spec:map[template:map[spec:map[containers:[map[imagePullPolicy:5 name:a]]]]]]',
        'cannot convert int64 to v1.PullPolicy',
      ),
    ],
  ])('%s %j with %i', async (path, body, status, message) => {
    const before = await server.ok('GET', path);
    const answer = await patch(path, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await server.ok('GET', path)).toEqual(before);
  });

  it('when it is strict, with its directives left out', async () => {
    const body = { bogus: 1, data: { $patch: 'replace', a: '1' } };
    const answer = await patch(MAP, body, '?fieldValidation=Strict');
    expect([answer.status, answer.body.message]).toEqual([
      422,
      invalid('map[bogus:1 data:map[a:1]]', 'strict decoding error: unknown field \\"bogus\\"').replaceAll('\\"', '"'),
    ]);
  });

  it('when it has more members than a body may have', async () => {
    const data = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 'v']));
    expect((await patch(MAP, { data })).status).toBe(413);
  });
});

function invalid(value: string, problem: string): string {
  return ` "" is invalid: patch: Invalid value: "${value}": ${problem}`;
}
