import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, connect } from '@listwatch/client';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { ReviewWebhook } from '../../../../../packages/server/src/access/webhook/review-webhook.fixture.ts';
import { type FakeHost, fakeHost } from '../../fake-host.fixture.ts';
import { temporaryFolders } from '../../temporary-folder.fixture.ts';
import type { RawOptions } from '../config-file.ts';
import { serve } from '../serve.ts';

const newFolder = temporaryFolders();
const running: { readonly host: FakeHost; readonly ended: Promise<number> }[] = [];
const clusters: Cluster[] = [];

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
  for (const { host, ended } of running.splice(0)) {
    host.signal('SIGTERM');
    await ended;
  }
});

const kubeconfig = (cluster: object, user: object = {}): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  });

interface Started {
  readonly folder: string;
  readonly host: FakeHost;
  /** Sends a GET as bob, or as nobody, and answers with its status and text. */
  readonly get: (path: string, who?: 'bob' | 'nobody') => Promise<readonly [number, string]>;
}

async function start(flags: (folder: string) => RawOptions): Promise<Started> {
  const folder = newFolder();
  writeFileSync(join(folder, 'tokens'), 'bob-token,bob,b\n', { mode: 0o600 });
  const host = fakeHost({ folder });
  const common = { storage: 'memory', console: 'off', controllers: '-*', port: '0', data: join(folder, 'data') };
  const ended = serve({ ...common, tokenAuthFile: join(folder, 'tokens'), ...flags(folder) }, host);
  running.push({ host, ended });
  await Promise.race([host.seen('Ready at'), ended.then(() => expect.fail('it has ended'))]);
  const config = JSON.parse(JSON.stringify(load(readFileSync(join(folder, 'data/kubeconfig'), 'utf8'))));
  const connected: Partial<Record<'bob' | 'nobody', Cluster>> = {};
  for (const [name, user] of [
    ['bob', { token: 'bob-token' }],
    ['nobody', {}],
  ] as const) {
    const path = join(folder, `${name}.kubeconfig`);
    writeFileSync(path, kubeconfig(config.clusters[0].cluster, user), { mode: 0o600 });
    const cluster = await connect({ kubeconfig: path });
    clusters.push(cluster);
    connected[name] = cluster;
  }
  return {
    folder,
    host,
    get: async (path, who = 'bob') => {
      const response = await connected[who]?.transport.send({ method: 'GET', path, headers: {} });
      const parts: Uint8Array[] = [];
      for await (const part of response?.body ?? []) parts.push(part);
      return [response?.status ?? 0, Buffer.concat(parts).toString()];
    },
  };
}

const SECRETS = '/api/v1/namespaces/default/secrets';

function configuration(
  folder: string,
  name: string,
  more: readonly object[] = [{ type: 'RBAC', name: 'rbac' }],
): string {
  const webhook = {
    timeout: '5s',
    unauthorizedTTL: '1ms',
    authorizedTTL: '1ms',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: join(folder, `${name}.webhook`) },
  };
  const authorizers = [{ type: 'Webhook', name, webhook }, ...more];
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers });
}

describe('--authorization-config', () => {
  it('asks its webhooks, follows changes of the file, and keeps what it has when a change is wrong', async () => {
    await using first = await ReviewWebhook.start();
    await using second = await ReviewWebhook.start();
    first.reply = () => ({ allowed: false, reason: 'first' });
    second.reply = () => ({ allowed: false, reason: 'second' });
    const started = await start((folder) => {
      writeFileSync(join(folder, 'first.webhook'), kubeconfig({ server: first.url }));
      writeFileSync(join(folder, 'second.webhook'), kubeconfig({ server: second.url }));
      writeFileSync(join(folder, 'authz'), configuration(folder, 'first'));
      return { authorizationConfig: join(folder, 'authz') };
    });
    const { folder, host, get } = started;
    const path = join(folder, 'authz');
    const reason = async (): Promise<string> =>
      JSON.parse((await get(SECRETS))[1])
        .message.split(': ')
        .at(-1);
    expect(await reason()).toBe('first');

    // A file that is written in two steps, the first of them alone for a while.
    const whole = configuration(folder, 'second');
    writeFileSync(path, whole.slice(0, whole.length / 2));
    await host.seen('the changed --authorization-config is not used');
    expect(await reason()).toBe('first');
    writeFileSync(path, whole);
    await expect.poll(reason, { interval: 100, timeout: 20_000 }).toBe('second');

    // Another file in its place, and one that lacks what the server started with.
    writeFileSync(`${path}.new`, configuration(folder, 'first', []));
    renameSync(`${path}.new`, path);
    await host.seen('missing required types: [RBAC]');
    expect(await reason()).toBe('second');
    writeFileSync(path, configuration(folder, 'missing'));
    await host.seen('missing.webhook');
    expect(await reason()).toBe('second');
    writeFileSync(path, configuration(folder, 'first'));
    await expect.poll(reason, { interval: 100, timeout: 20_000 }).toBe('first');

    first.reply = ({ body }) => ({ allowed: body.spec.nonResourceAttributes?.path === '/metrics' });
    const [, metrics] = await get('/metrics');
    const counted = (status: string): number =>
      Number(new RegExp(`automatic_reloads_total\\{status="${status}",[^}]*\\} (\\d+)`, 'u').exec(metrics)?.[1]);
    expect(counted('success')).toBe(2);
    expect(counted('failure')).toBeGreaterThanOrEqual(3);
    expect(metrics).toContain('apiserver_authorization_config_controller_last_config_info{apiserver_id_hash="sha256:');
  });

  it.each<[string, (folder: string) => string, string]>([
    ['is not there', () => '', 'authz: there is no such file'],
    ['has no authorizers', () => '{}', 'no kind "" is known for version ""'],
    [
      'names a kubeconfig that is not there',
      (folder) => configuration(folder, 'none'),
      'kubeConfigFile must be a kubeconfig, got',
    ],
  ])('that %s keeps the server from starting', async (what, text, problem) => {
    const folder = newFolder();
    const path = join(folder, 'authz');
    if (what !== 'is not there') writeFileSync(path, text(folder));
    const host = fakeHost({ folder });
    const flags = { storage: 'memory', console: 'off', port: '0', data: join(folder, 'data') };
    await expect(serve({ ...flags, authorizationConfig: path }, host)).rejects.toThrow(problem);
  });
});

describe('--authorization-mode', () => {
  it('Webhook asks the webhook of the flags, with their version', async () => {
    await using webhook = await ReviewWebhook.start();
    webhook.reply = () => ({ allowed: true });
    const { get } = await start((folder) => {
      writeFileSync(join(folder, 'webhook'), kubeconfig({ server: webhook.url }, { token: 'mine' }));
      return { authorizationMode: 'RBAC,Webhook', authorizationWebhookConfigFile: join(folder, 'webhook') };
    });
    expect((await get(SECRETS))[0]).toBe(200);
    expect((await get(SECRETS))[0]).toBe(200);
    const [asked, ...others] = webhook.asked.filter(({ body }) => body.spec.user === 'bob');
    expect(others).toEqual([]);
    expect(asked).toMatchObject({
      target: '/authorize?timeout=30s',
      headers: { authorization: 'Bearer mine' },
      body: { apiVersion: 'authorization.k8s.io/v1beta1', spec: { group: ['system:authenticated'] } },
    });
  });

  it('AlwaysAllow is for users who log in: nobody is anonymous', async () => {
    const { get } = await start(() => ({ authorizationMode: 'AlwaysAllow' }));
    expect((await get(SECRETS))[0]).toBe(200);
    expect((await get(SECRETS, 'nobody'))[0]).toBe(401);
  });
});
