import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  askEtcd,
  type EtcdProcess,
  joinEtcdCluster,
  needs,
  startEtcd,
  startEtcdCluster,
  startTcpProxy,
  TestAuthority,
} from '@listwatch/conformance/parts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EtcdServer, maps } from './etcd-server.ts';

const WAIT = { timeout: 60_000, interval: 50 };
describe('etcd is looked after while a server runs', needs('etcd'), () => {
  let members: EtcdProcess[];
  beforeAll(async () => {
    members = [...(await startEtcdCluster(3))];
  }, 60_000);
  afterAll(() => Promise.all(members.map((member) => member.stop())));

  it('a member is replaced by a new one', async () => {
    const endpoints = members.map(({ endpoint }) => endpoint);
    await using server = await EtcdServer.start({ endpoints });
    await server.works();
    const [old] = members.splice(0, 1);
    if (old === undefined) throw new Error('there are three');
    const { members: known } = Object(await askEtcd(members[0] ?? old, 'cluster/member/list'));
    const { ID } = known.find(({ name }: { readonly name: string }) => name === old.name);
    // etcd refuses until its members have been connected for some seconds.
    await vi.waitFor(() => askEtcd(members[0] ?? old, 'cluster/member/remove', { ID }), WAIT);
    await old.stop();
    await server.works();
    members.push(await vi.waitFor(() => joinEtcdCluster(members), WAIT));
    await server.works();
    expect(server.cache.status.phase).toBe('live');
  }, 180_000);

  it('members are defragmented', async () => {
    await using server = await EtcdServer.start({ endpoints: members.map(({ endpoint }) => endpoint) });
    const writing = Promise.all(Array.from({ length: 50 }, () => server.write()));
    for (const member of members) await askEtcd(member, 'maintenance/defragment');
    await writing;
    await server.works();
    expect(server.cache.store.size).toBeGreaterThanOrEqual(51);
  }, 120_000);

  it('the alarm NOSPACE is raised and taken back: writes fail with 507 and then work, the informer is not disturbed', async () => {
    await using server = await EtcdServer.start({ endpoints: members.map(({ endpoint }) => endpoint) });
    const [member] = members;
    if (member === undefined) throw new Error('there are three');
    const { header } = Object(await askEtcd(member, 'maintenance/status'));
    const alarm = { memberID: header.member_id, alarm: 'NOSPACE' };
    await askEtcd(member, 'maintenance/alarm', { ...alarm, action: 'ACTIVATE' });
    await vi.waitFor(() => expect(server.write()).rejects.toMatchObject({ httpCode: 507 }), WAIT);
    expect((await server.cluster.list(maps, { namespace: 'default' })).items.length).toBe(server.cache.store.size);
    await askEtcd(member, 'maintenance/alarm', { ...alarm, action: 'DEACTIVATE' });
    await server.works();
    expect(server.cache.status.phase).toBe('live');
  }, 120_000);
});

describe('what proves who is who changes while a server runs', needs('etcd'), () => {
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).toReversed()) await end();
  });

  it('etcd gets a new certificate of the same authority', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'listwatch-rotation-'));
    ending.push(() => rmSync(folder, { recursive: true, force: true }));
    using authority = new TestAuthority();
    const [cert, key] = [join(folder, 'etcd.crt'), join(folder, 'etcd.key')];
    const issue = (): void => {
      const pair = authority.server();
      writeFileSync(cert, pair.cert);
      writeFileSync(key, pair.key);
    };
    issue();
    const etcd = await startEtcd({ tls: { cert, key } });
    ending.push(() => etcd.stop());
    const proxy = await startTcpProxy(etcd.port);
    ending.push(() => proxy.close());
    const endpoints = [proxy.endpoint.replace('http:', 'https:')];
    await using server = await EtcdServer.start({ endpoints, tls: { ca: authority.ca } });
    await server.works();
    issue();
    // The next handshake shows the new one.
    proxy.cut();
    await server.works();
    expect(server.errors).toEqual([]);
  }, 120_000);

  it('authentication is switched on and off again, with the user that the server knew all along', async () => {
    const etcd = await startEtcd();
    ending.push(() => etcd.stop());
    const auth = { username: 'root', password: 'secret' };
    await using server = await EtcdServer.start({ endpoints: [etcd.endpoint], auth });
    await server.works();
    await askEtcd(etcd, 'auth/user/add', { name: 'root', password: 'secret' });
    await askEtcd(etcd, 'auth/role/add', { name: 'root' });
    await askEtcd(etcd, 'auth/user/grant', { user: 'root', role: 'root' });
    await askEtcd(etcd, 'auth/enable');
    await server.works();
    const { token } = Object(await askEtcd(etcd, 'auth/authenticate', { name: 'root', password: 'secret' }));
    const answer = await fetch(`${etcd.endpoint}/v3/auth/disable`, {
      method: 'POST',
      headers: { authorization: token },
      body: '{}',
    });
    expect(answer.status).toBe(200);
    await server.works();
  }, 120_000);
});
