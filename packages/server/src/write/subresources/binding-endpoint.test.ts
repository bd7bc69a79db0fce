import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from '../../start/in-process-server.fixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TARGET = { kind: 'Node', name: 'n1' };

async function start(spec: object = {}): Promise<InProcessServer> {
  const server = await InProcessServer.start();
  const containers = [{ name: 'c', image: 'i' }];
  const metadata = { name: 'p', labels: { a: '1' }, annotations: { k: 'v' } };
  await server.ok('POST', PODS, { metadata, spec: { containers, ...spec } });
  return server;
}

const bind = (server: InProcessServer, body: object, path = `${PODS}/p/binding`): Promise<Asked> =>
  server.ask('POST', path, body);
const messageOf = ({ status, body }: Asked): unknown => [status, body.message];

describe('a binding', () => {
  it('puts the Pod on its node, once, and leaves its generation', async () => {
    await using server = await start();
    const metadata = { name: 'p', labels: { b: '2' }, annotations: { k: 'w' } };
    expect((await bind(server, { metadata, target: TARGET })).body).toMatchObject({ status: 'Success', code: 201 });
    expect(await server.ok('GET', `${PODS}/p`)).toMatchObject({
      metadata: { generation: 1, labels: { a: '1', b: '2' }, annotations: { k: 'w' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2023-11-14T22:13:20Z' }] },
    });
    expect(messageOf(await bind(server, { metadata: { name: 'p' }, target: { name: 'n2' } }))).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    ]);
  });

  it('is also taken where it was once', async () => {
    await using server = await start();
    const old = '/api/v1/namespaces/default/bindings';
    expect((await bind(server, { metadata: { name: 'p' }, target: TARGET }, old)).status).toBe(201);
    expect((await server.ok('GET', `${PODS}/p`)).spec.nodeName).toBe('n1');
    expect(messageOf(await bind(server, { target: TARGET }, old))).toEqual([400, 'Name parameter required.']);
    expect((await server.ask('GET', old)).status).toBe(405);
  });

  it('in a namespace that does not exist is not found, whatever it says', async () => {
    await using server = await start();
    const path = '/api/v1/namespaces/absent/bindings';
    const answer = await bind(server, { metadata: { name: 'p' } }, path);
    expect(messageOf(answer)).toEqual([404, 'namespaces "absent" not found']);
  });

  it('is warned of fields that it dropped, also when it is refused', async () => {
    await using server = await start();
    const path = `${PODS}/gone/binding`;
    const { status, headers } = await bind(server, { metadata: { name: 'gone' }, target: TARGET, extra: 1 }, path);
    expect([status, headers['warning']]).toEqual([404, '299 - "unknown field \\"extra\\""']);
  });

  it('in a dry run leaves the Pod where it is', async () => {
    await using server = await start();
    const body = { metadata: { name: 'p' }, target: TARGET };
    expect((await bind(server, body, `${PODS}/p/binding?dryRun=All`)).status).toBe(201);
    expect((await server.ok('GET', `${PODS}/p`)).spec.nodeName).toBeUndefined();
  });

  it.each([
    [{ target: TARGET }, 400, 'name in URL does not match name in Binding object'],
    [
      { metadata: { name: 'p' }, target: { kind: 'Pod', name: 'x' } },
      500,
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ],
    [{ metadata: { name: 'p' } }, 500, 'target.name: Required value'],
  ])('of %j is refused', async (body, code, message) => {
    await using server = await start();
    expect(messageOf(await bind(server, body))).toEqual([code, message]);
  });

  it('of another uid or version, of a Pod that is gated or being deleted, is a conflict', async () => {
    await using server = await start();
    for (const more of [{ uid: 'abc' }, { resourceVersion: '1' }]) {
      const { status, body } = await bind(server, { metadata: { name: 'p', ...more }, target: TARGET });
      expect([status, body.message]).toEqual([409, expect.stringContaining('Precondition failed')]);
    }
    await server.ok('PATCH', `${PODS}/p`, '{"metadata":{"finalizers":["a/b"]}}', {
      type: 'application/merge-patch+json',
    });
    await server.ok('DELETE', `${PODS}/p`);
    expect(messageOf(await bind(server, { metadata: { name: 'p' }, target: TARGET }))).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "p": pod p is being deleted, cannot be assigned to a host',
    ]);
    await using gated = await start({ schedulingGates: [{ name: 'g' }] });
    expect((await bind(gated, { metadata: { name: 'p' }, target: TARGET })).body.message).toContain(
      'pod p has non-empty .spec.schedulingGates',
    );
  });

  it('of two schedulers at once puts the Pod on one node', async () => {
    await using server = await start();
    const nodes = ['n1', 'n2', 'n3', 'n4'];
    const asked = await Promise.all(
      nodes.map((name) => bind(server, { metadata: { name: 'p' }, target: { kind: 'Node', name } })),
    );
    expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    const { spec } = await server.ok('GET', `${PODS}/p`);
    expect(spec.nodeName).toBe(nodes[asked.findIndex(({ status }) => status === 201)]);
  });
});
