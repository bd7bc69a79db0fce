import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from './in-process-server.fixture.ts';

const NODE = { name: 'system:node:n', groups: ['system:nodes'] };
const PODS = '/api/v1/namespaces/default/pods';
const SECRETS = '/api/v1/namespaces/default/secrets';

const pod = (name: string, nodeName: string, secretName: string): object => ({
  metadata: { name },
  spec: {
    nodeName,
    serviceAccountName: 'robot',
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'v', secret: { secretName } }],
  },
});
const UNRELATED = "no relationship found between node 'n' and this object";

/** The status, and what is said after the usual words. */
const short = ({ status, body }: Asked): unknown =>
  status < 300 ? status : [status, String(body.message).split(/ in the namespace "[^"]*"| at the cluster scope/u)[1]];

describe('a server with the modes Node and RBAC', () => {
  it('lets a node read what its Pods need, from the moment that they are bound until they are gone', async () => {
    await using server = await InProcessServer.start({ authorization: ['Node', 'RBAC'] });
    const get = async (path: string): Promise<unknown> =>
      short(await server.ask('GET', path, undefined, { user: NODE }));
    for (const name of ['mine', 'theirs']) await server.ok('POST', SECRETS, { metadata: { name } });
    await server.ok('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    expect(await get(`${SECRETS}/mine`)).toEqual([403, `: ${UNRELATED}`]);
    await server.ok('POST', PODS, pod('mine', 'n', 'mine'));
    await server.ok('POST', PODS, pod('theirs', 'm', 'theirs'));
    expect(await get(`${SECRETS}/mine`)).toBe(200);
    expect(await get(`${SECRETS}?fieldSelector=metadata.name%3Dmine`)).toBe(200);
    expect(await get(`${SECRETS}/theirs`)).toEqual([403, `: ${UNRELATED}`]);
    expect(await get(`${SECRETS}?fieldSelector=metadata.name%3Dtheirs`)).toEqual([403, `: ${UNRELATED}`]);
    expect(await get(`${PODS}?fieldSelector=spec.nodeName%3Dn`)).toBe(200);
    expect(await get(`${PODS}?fieldSelector=spec.nodeName%3Dm`)).toEqual([
      403,
      ': can only list/watch pods with spec.nodeName field selector',
    ]);
    // Its Node does not exist yet; whether another does is not said.
    expect(await get('/api/v1/nodes/n')).toEqual([404, undefined]);
    await server.ok('DELETE', `${PODS}/mine`, { gracePeriodSeconds: 0 });
    expect(await get(`${SECRETS}/mine`)).toEqual([403, `: ${UNRELATED}`]);
    const metrics = await server.ask('GET', '/metrics');
    expect(metrics.body).toContain('listwatch_node_graph_objects{type="pods"} 1');
    expect(metrics.body).toContain(
      'apiserver_authorization_decisions_total{type="Node",name="node",decision="allowed"}',
    );
  });

  it('refuses a node every other way to the Secrets of others', async () => {
    await using server = await InProcessServer.start({ authorization: ['Node', 'RBAC'] });
    await server.ok('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    await server.ok('POST', SECRETS, { metadata: { name: 'theirs' }, stringData: { password: 'hunter2' } });
    await server.ok('POST', PODS, pod('theirs', 'm', 'theirs'));
    const one = `${SECRETS}/theirs`;
    const attempts: readonly (readonly [string, string, object?])[] = [
      ['GET', one],
      ['HEAD', one],
      ['GET', SECRETS],
      ['GET', '/api/v1/secrets'],
      ['GET', `${SECRETS}?watch=1`],
      ['GET', '/api/v1/watch/namespaces/default/secrets/theirs'],
      ['GET', '/api/v1/watch/secrets'],
      ['GET', `${SECRETS}?fieldSelector=metadata.name%3Dtheirs&watch=1`],
      ['GET', `${SECRETS}?fieldSelector=metadata.name%3Dtheirs,type%3DOpaque`],
      ['POST', SECRETS, { metadata: { name: 'new' } }],
      ['PUT', one, { metadata: { name: 'theirs' } }],
      ['PATCH', one, {}],
      ['DELETE', one],
      ['DELETE', SECRETS],
      ['GET', `${one}/status`],
      ['GET', `${one}/anything`],
      ['GET', `${SECRETS}/mine%2F..%2Ftheirs`],
      ['GET', `${SECRETS}/mine/../theirs`],
      ['GET', `${PODS}/theirs`],
      ['GET', `${PODS}/theirs/log`],
      ['POST', `${PODS}/theirs/exec?command=env`],
      ['POST', `${PODS}/theirs/attach`],
      ['POST', `${PODS}/theirs/ephemeralcontainers`],
      ['PATCH', `${PODS}/theirs/ephemeralcontainers`, {}],
      ['POST', `${PODS}/theirs/binding`],
      ['POST', '/api/v1/namespaces/default/serviceaccounts/robot/token', {}],
    ];
    for (const [method, path, body] of attempts) {
      const asked = await server.ask(method, path, body, { user: NODE, type: 'application/merge-patch+json' });
      expect([method, path, asked.status]).toEqual([
        method,
        path,
        path.includes('..') && asked.status === 400 ? 400 : 403,
      ]);
      expect(JSON.stringify(asked.body)).not.toContain('aHVudGVyMg');
    }
  });
});
