import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '@listwatch/client';
import { type EtcdProcess, needs, requireRealPart, startEtcd, startEtcdCluster } from '@listwatch/conformance/parts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EtcdServer, maps } from './etcd-server.ts';

const GUIDE = readFileSync(fileURLToPath(new URL('../../../docs/guide/use-etcd.md', import.meta.url)), 'utf8');
const WAIT = { timeout: 60_000, interval: 50 };

/** The commands of the guide's section on backups, by the program. */
function commandOf(program: 'etcdctl' | 'etcdutl'): readonly string[] {
  const section = /## Back up and restore\n([\s\S]+?)(?:\n## |$)/u.exec(GUIDE)?.[1] ?? '';
  const line = new RegExp(`^    ${program} (.+)$`, 'mu').exec(section)?.[1];
  return line?.split(/\s+/u) ?? expect.fail(`the guide has no command of ${program}`);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function saveSnapshot({ endpoint }: EtcdProcess): void {
  const args = [...commandOf('etcdctl'), `--endpoints=${endpoint}`];
  execFileSync(requireRealPart('etcdctl'), args, { cwd: folder, stdio: 'ignore' });
}

/** Restores into a new folder, which then takes the place of the member's own one. */
function restoreSnapshot(dataFolder: string, flags: readonly string[] = []): void {
  execFileSync(requireRealPart('etcdutl'), [...commandOf('etcdutl'), ...flags], { cwd: folder, stdio: 'ignore' });
  rmSync(dataFolder, { recursive: true });
  renameSync(join(folder, 'new-data'), dataFolder);
}

async function write(cluster: Cluster, name: string, value: string): Promise<string> {
  const key = { name, namespace: 'default' };
  const before = await cluster.get(maps, key).catch(() => undefined);
  const annotations = { value };
  const { metadata } =
    before === undefined
      ? await cluster.create(maps, { metadata: { ...key, annotations } })
      : await cluster.patch(maps, key, { type: 'merge', body: { metadata: { annotations } } });
  return metadata.resourceVersion ?? '';
}

/** What the informer says it has, by name and version. */
function cached({ cache }: EtcdServer): readonly string[] {
  return [...cache.store.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
}

async function stored({ cluster }: EtcdServer): Promise<readonly string[]> {
  const { items } = await cluster.list(maps, { namespace: 'default' });
  return items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
}

/** The informer has what the server lists, and is live. */
async function follows(server: EtcdServer): Promise<void> {
  await vi.waitFor(async () => expect(cached(server)).toEqual(await stored(server)), WAIT);
  await vi.waitFor(() => expect(server.cache.status.phase).toBe('live'), WAIT);
}

/** The names that the informer reported as deleted. */
function deletesOf({ cache }: EtcdServer): string[] {
  const deleted: string[] = [];
  cache.on({ delete: ({ object }) => deleted.push(object.metadata.name) });
  return deleted;
}

async function expectGone({ cluster }: EtcdServer, resourceVersion: string): Promise<void> {
  const list = cluster.list(maps, { namespace: 'default', resourceVersion, resourceVersionMatch: 'Exact' });
  await expect(list).rejects.toMatchObject({ httpCode: 410 });
}

describe('etcd is restored from a snapshot with its own tools, as the guide says', needs('etcd'), () => {
  describe('with etcdctl', needs('etcdctl'), () => {
    it('a server that was stopped meanwhile and one that ran: old versions are gone, informers follow', {
      ...needs('etcdutl'),
      timeout: 120_000,
    }, async () => {
      await using etcd = await startEtcd();
      const options = { endpoints: [etcd.endpoint], root: `/${randomUUID()}/` };
      await using stopped = await EtcdServer.start(options);
      await using running = await EtcdServer.start(options);
      const servers = [stopped, running];
      for (const name of ['a', 'b', 'kept']) await write(stopped.cluster, name, 'old');
      saveSnapshot(etcd);

      const deleted = servers.map(deletesOf);
      const lost = await write(stopped.cluster, 'a', 'lost');
      for (let i = 0; i < 5; i += 1) await write(running.cluster, `lost${i}`, 'lost');
      await stopped.cluster.delete(maps, { name: 'b', namespace: 'default' });
      for (const server of servers) await follows(server);

      await stopped.stop();
      await etcd.kill();
      restoreSnapshot(etcd.dataFolder);
      await etcd.restart();
      await stopped.restart();

      for (const server of servers) await follows(server);
      const names = ['a', 'b', 'kept'];
      expect(await stored(running)).toEqual(await stored(stopped));
      expect((await stored(stopped)).map((text) => text.split('@')[0])).toEqual(names);
      for (const reported of deleted) {
        expect(reported.toSorted()).toEqual(['b', 'lost0', 'lost1', 'lost2', 'lost3', 'lost4']);
      }
      for (const server of servers) await expectGone(server, lost);
      // No version is given out a second time.
      const next = await write(running.cluster, 'a', 'new');
      expect(BigInt(next)).toBeGreaterThan(BigInt(lost) + 900_000_000n);
      for (const server of servers) await follows(server);
    });

    it('three members from the same file, with two servers that ran', {
      ...needs('etcdutl'),
      timeout: 180_000,
    }, async () => {
      const members = await startEtcdCluster(3);
      try {
        const options = { endpoints: members.map(({ endpoint }) => endpoint), root: `/${randomUUID()}/` };
        await using a = await EtcdServer.start(options);
        await using b = await EtcdServer.start(options);
        await write(a.cluster, 'kept', 'old');
        const [first] = members;
        saveSnapshot(first ?? expect.fail('there are three'));
        const lost = await write(b.cluster, 'lost', 'lost');
        for (const server of [a, b]) await follows(server);
        for (const member of members) await member.kill();
        const cluster = members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
        for (const { name, peerUrl, dataFolder } of members) {
          const own = [`--name=${name}`, `--initial-cluster=${cluster}`, `--initial-advertise-peer-urls=${peerUrl}`];
          restoreSnapshot(dataFolder, own);
        }
        await Promise.all(members.map((member) => member.restart()));
        for (const server of [a, b]) await follows(server);
        expect((await stored(a)).map((text) => text.split('@')[0])).toEqual(['kept']);
        for (const server of [a, b]) await expectGone(server, lost);
        await write(a.cluster, 'kept', 'new');
        for (const server of [a, b]) await follows(server);
      } finally {
        for (const member of members) await member.stop();
      }
    });
  });
});
