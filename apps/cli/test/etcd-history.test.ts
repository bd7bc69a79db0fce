import { needs, startEtcd } from '@listwatch/conformance/parts';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { describe, expect, it, vi } from 'vitest';

const USER = { user: { name: 'admin', groups: ['system:masters'] } };
const MAPS = '/api/v1/namespaces/default/configmaps';

async function send(server: ApiServer, method: 'GET' | 'POST', path: string, body?: object) {
  const sent = { method, path, headers: body === undefined ? {} : { 'content-type': 'application/json' } };
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await server.handle({ ...sent, body: bytes }, USER);
  let text = '';
  for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
  return { status: answer.status, body: JSON.parse(text) };
}

describe('/debug/history with a real etcd', needs('etcd'), () => {
  it('begins at the version that this server found, and every version that it names can be listed', async () => {
    await using etcd = await startEtcd();
    for (const expected of [[], ['first']]) {
      const engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: '/h/', compaction: 'off' });
      const server = createApiServer({ engine });
      await server.start();
      const before = (await send(server, 'GET', '/debug/history')).body;
      expect(before.oldest.resourceVersion).toMatch(/^[1-9]\d*$/u);
      const name = expected.length === 0 ? 'first' : 'second';
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      expect((await send(server, 'POST', MAPS, object)).status).toBe(201);
      // The server hears of its own write by its watch of etcd.
      const { oldest, points } = await vi.waitFor(async () => {
        const history = (await send(server, 'GET', '/debug/history')).body;
        expect(Number(history.newest.resourceVersion)).toBeGreaterThan(Number(before.newest.resourceVersion));
        return history;
      }, 20_000);
      expect(oldest.resourceVersion).toBe(before.oldest.resourceVersion);
      const overview = (await send(server, 'GET', '/debug/overview')).body;
      expect(overview.storage).toMatchObject({
        engine: 'etcd',
        oldestResourceVersion: null,
        diskBytes: null,
        historyMaxBytes: null,
      });
      for (const point of [oldest, ...points]) {
        const exact = `${MAPS}?resourceVersion=${point.resourceVersion}&resourceVersionMatch=Exact`;
        const { status, body } = await send(server, 'GET', exact);
        expect(status).toBe(200);
        if (point === oldest)
          expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(expected);
      }
      await server.close();
      await engine.close();
    }
  });
});
