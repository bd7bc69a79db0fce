import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { relay } from './relay-command.ts';

let folder: string;
let server: TestEnvironment;
let kubeconfig: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-relay-'));
  server = await startTestServer({ listen: true });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
}, 60_000);

afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PORTS = { port: '0', healthAddress: '127.0.0.1:0' } as const;

it('answers lists from its cache with the versions of the cluster, passes writes, and shows its state', async () => {
  const host = fakeHost({ folder });
  const ended = relay({ kinds: 'configmaps', kubeconfig, ...PORTS }, host);
  await host.seen('ready: 1 of 1 kinds');
  const [, url = ''] = /relay on (https:\S+)/u.exec(host.written.stdout) ?? [];
  const [, health = ''] = /metrics on (http:[^\s"]+)/u.exec(host.written.stdout) ?? [];
  const caData = readFileSync(join(folder, '.listwatch-relay', 'pki', 'ca.crt'), 'utf8');
  const [, token = ''] = /token: "?([^"\s]+)/u.exec(server.kubeconfig) ?? [];
  await using cluster = await connect({ server: url, caData, token });
  const made = await cluster.create(configMaps, { metadata: { name: 'a', namespace: 'default' }, data: { x: '1' } });
  const { resourceVersion } = made.metadata;
  const list = await cluster.list(configMaps, { namespace: 'default', resourceVersion });
  expect(list.items.map(({ metadata }) => metadata.name)).toContain('a');
  expect((await fetch(`${health}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${health}/debug/relay`)).json()).toMatchObject({
    kinds: [{ kind: 'configmaps', state: 'live' }],
    reads: { cached: [{ kind: 'configmaps', verb: 'list', count: 1 }], passed: { method: 1 } },
  });
  const metrics = await (await fetch(`${health}/metrics`)).text();
  expect(metrics).toContain('listwatch_relay_cached_requests_total{kind="configmaps",verb="list"} 1');
  expect(metrics).not.toContain(token);
  expect((await fetch(`${health}/api/v1/configmaps`)).status).toBe(404);
  host.signal('SIGTERM');
  expect(await ended).toBe(143);
  const lines = host.written.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { level, time } of lines) expect([level, new Date(time).toISOString()]).toEqual(['info', time]);
  expect(lines).toMatchObject([
    { kinds: ['configmaps'], msg: `relay on ${url} in front of ${server.url}` },
    { msg: expect.stringMatching(/^clients trust \/.*ca\.crt$/u) },
    { msg: `health and metrics on ${health}` },
    { msg: 'ready: 1 of 1 kinds are answered from the cache' },
    { signal: 'SIGTERM', msg: 'ending: no new requests, watches end, the rest finishes' },
  ]);
  expect(host.written.stderr).toBe('');
}, 60_000);

it('logs in short lines on a terminal, and as it is told', async () => {
  for (const [terminal, logFormat, first] of [
    [true, undefined, /^\S*\d\d:\d\d:\d\d\S* \S*info \S* relay on https:/u],
    [true, 'json', /^\{"level":"info"/u],
    [false, 'text', /^\d\d:\d\d:\d\d info {2}relay on https:/u],
  ] as const) {
    const host = fakeHost({ folder, terminal });
    const ended = relay({ kinds: 'configmaps', kubeconfig, ...PORTS, logFormat }, host);
    await host.seen('ready: 1 of 1 kinds');
    host.signal('SIGTERM');
    expect(await ended).toBe(143);
    expect(host.written.stdout).toMatch(first);
  }
}, 60_000);

it('while its cluster is away answers with what it has and says how old it is, if it was told to', async () => {
  const away = await startTestServer({ listen: true });
  writeFileSync(join(folder, 'edge'), away.kubeconfig, { mode: 0o600 });
  const host = fakeHost({ folder });
  const flags = { kinds: 'configmaps', kubeconfig: join(folder, 'edge'), staleReads: true, stretchAccess: '1h' };
  const ended = relay({ ...flags, ...PORTS }, host);
  await host.seen('ready: 1 of 1 kinds');
  const [, url = ''] = /relay on (https:\S+)/u.exec(host.written.stdout) ?? [];
  const caData = readFileSync(join(folder, '.listwatch-relay', 'pki', 'ca.crt'), 'utf8');
  const [, token = ''] = /token: "?([^"\s]+)/u.exec(away.kubeconfig) ?? [];
  const warnings: string[] = [];
  await using cluster = await connect({ server: url, caData, token, onWarning: ({ text }) => warnings.push(text) });
  await vi.waitFor(async () => {
    await cluster.list(configMaps, { namespace: 'kube-system' });
    expect(warnings).toEqual([]);
  });
  await away.close();
  await vi.waitFor(
    async () => {
      await cluster.list(configMaps, { namespace: 'kube-system' });
      expect(warnings.at(-1)).toMatch(/^the upstream server has not answered for \d+ s/u);
    },
    { timeout: 20_000 },
  );
  host.signal('SIGTERM');
  expect(await ended).toBe(143);
}, 60_000);

it.each([
  [{}, '--kinds is required'],
  [{ kinds: 'pods,nope' }, '--kinds: kind "nope" cannot be relayed'],
  [{ kinds: 'widgets.networking.k8s.io' }, 'it is no built-in kind'],
  [{ kinds: 'pods', port: 'x' }, '--port must be'],
  [{ kinds: 'pods', accessCache: '1m' }, '--access-cache must be at most 10s'],
  [{ kinds: 'pods', stretchAccess: '8d' }, '--stretch-access must be at most 7d'],
  [{ kinds: 'pods', stretchAccess: 'long' }, '--stretch-access must be a duration'],
  [{ kinds: 'pods', tlsCertFile: 'a' }, 'must be given together'],
  [{ kinds: 'pods', auditLogPath: 'a' }, 'must be given together'],
  [{ kinds: 'pods', journalKeyFile: 'a' }, '--journal-key-file needs --journal'],
  [{ kinds: 'pods', journal: 'a', journalKeyFile: 'nope' }, '--journal-key-file: cannot read'],
  [{ kinds: 'pods', journal: 'a', journalKeyFile: 'kubeconfig' }, '--journal-key-file: a journal key is 32 bytes'],
  [{ kinds: 'pods', healthAddress: 'x' }, '--health-address must be IP:PORT'],
  [{ kinds: 'pods', bindAddress: 'x' }, '--bind-address must be'],
  [{ kinds: 'pods', logFormat: 'xml' }, '--log-format must be text or json, got "xml"'],
])('refuses %j: %s', async (flags, text) => {
  await expect(relay({ kubeconfig, ...flags }, fakeHost({ folder }))).rejects.toThrow(text);
});

it('refuses a key that others could have put into its folder, and leaves it as it is', async () => {
  const data = join(folder, 'relay-data');
  const key = join(data, 'pki', 'ca.key');
  mkdirSync(join(data, 'pki'), { recursive: true, mode: 0o700 });
  writeFileSync(key, 'a key');
  chmodSync(key, 0o666);
  const started = relay({ kubeconfig, kinds: 'configmaps', ...PORTS, data }, fakeHost({ folder }));
  await expect(started).rejects.toThrow(`a key that others may have made is not used: ${key}`);
  expect([readFileSync(key, 'utf8'), readdirSync(join(data, 'pki'))]).toEqual(['a key', ['ca.key']]);
});
