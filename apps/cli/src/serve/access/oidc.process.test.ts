import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cluster, connect } from '@listwatch/client';
import { OIDC_CLIENT, OidcIssuer, OTHER_CLIENT } from '@listwatch/conformance/oidc';
import { needs } from '@listwatch/conformance/parts';
import { load } from 'js-yaml';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../../fake-host.fixture.ts';
import { temporaryFolders } from '../../temporary-folder.fixture.ts';
import type { RawOptions } from '../config-file.ts';
import { serve } from '../serve.ts';

const newFolder = temporaryFolders();
const run = promisify(execFile);
const ANN = { name: 'ann', groups: ['devs'] };
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

let issuer: OidcIssuer;
const running: { readonly host: FakeHost; readonly ended: Promise<number> }[] = [];
const clusters: Cluster[] = [];

beforeAll(async () => {
  issuer = await OidcIssuer.start();
});
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
  for (const { host, ended } of running.splice(0)) {
    host.signal('SIGTERM');
    await ended;
  }
});
afterAll(() => issuer[Symbol.asyncDispose]());

interface Started {
  readonly folder: string;
  readonly host: FakeHost;
  /** The cluster section of a kubeconfig. */
  readonly cluster: unknown;
}

/** A server in this process, that others reach over TLS. */
async function start(flags: (folder: string) => RawOptions): Promise<Started> {
  const folder = newFolder();
  const host = fakeHost({ folder });
  const ended = serve(
    { storage: 'memory', console: 'off', controllers: '-*', port: '0', data: join(folder, 'data'), ...flags(folder) },
    host,
  );
  running.push({ host, ended });
  await Promise.race([host.seen('Ready at'), ended.then(() => expect.fail('it has ended'))]);
  const config = JSON.parse(JSON.stringify(load(readFileSync(join(folder, 'data/kubeconfig'), 'utf8'))));
  return { folder, host, cluster: config.clusters[0].cluster };
}

const withFlags = (folder: string, of = issuer): RawOptions => {
  const oidcCaFile = join(folder, 'idp.crt');
  writeFileSync(oidcCaFile, of.ca);
  return {
    oidcIssuerUrl: of.url,
    oidcClientId: OIDC_CLIENT.id,
    oidcCaFile,
    oidcUsernamePrefix: 'oidc:',
    oidcGroupsClaim: 'groups',
  };
};

/** Connects as the user of a kubeconfig that was just written. */
async function connectAs({ folder, cluster }: Started, user: object): Promise<Cluster> {
  const path = join(folder, `config-${clusters.length}`);
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  const connected = await connect({ kubeconfig: path });
  clusters.push(connected);
  return connected;
}

/** The name and groups that the server knows, or the status of its refusal. */
async function whoAmI(cluster: Cluster): Promise<unknown> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const response = await cluster.transport.send({
    method: 'POST',
    path: WHO,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  if (response.status !== 201) return response.status;
  const { username, groups } = JSON.parse(Buffer.concat(parts).toString()).status.userInfo;
  return [username, ...groups];
}

/** What the administrator of a server sees. */
async function metricsOf({ folder }: Started): Promise<string> {
  await using cluster = await connect({ kubeconfig: join(folder, 'data/kubeconfig') });
  const response = await cluster.transport.send({ method: 'GET', path: '/metrics', headers: {} });
  let text = '';
  for await (const part of response.body) text += Buffer.from(part).toString();
  return text;
}

const asToken = async (started: Started, token: string): Promise<unknown> =>
  whoAmI(await connectAs(started, { token }));
const ANN_IS = ['oidc:ann', 'devs', 'system:authenticated'];

describe('a server with an OIDC provider', () => {
  it('knows its users, also after the provider has changed its key, and nobody by a forged or foreign token', async () => {
    const started = await start((folder) => withFlags(folder));
    const token = await issuer.idToken(ANN);
    expect(await asToken(started, token)).toEqual(ANN_IS);
    issuer.rotateKeys();
    // Within two seconds of the last fetch the new key is not looked for.
    await expect.poll(async () => asToken(started, await issuer.idToken(ANN)), { interval: 500 }).toEqual(ANN_IS);
    expect(await asToken(started, await issuer.idToken(ANN, OTHER_CLIENT))).toBe(401);
    const [head = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, groups: ['system:masters'] })).toString('base64url');
    expect(await asToken(started, `${head}.${forged}.${signature}`)).toBe(401);
  });

  it('starts while the provider is down, says so, and accepts its tokens when it is back', async () => {
    const token = await issuer.idToken(ANN);
    await issuer.down();
    const started = await start((folder) => withFlags(folder));
    await started.host.seen('the keys of the OIDC provider cannot be fetched');
    expect(await asToken(started, token)).toBe(401);
    await issuer.up();
    await expect.poll(() => asToken(started, token), { interval: 200 }).toEqual(ANN_IS);
    await started.host.seen('answers again');
  });

  it('serves our own client, which refreshes its tokens and keeps them', async () => {
    const short = await OidcIssuer.start({ idTokenSeconds: 11 });
    try {
      const started = await start((folder) => withFlags(folder, short));
      const config = {
        'idp-issuer-url': short.url,
        'client-id': OIDC_CLIENT.id,
        'client-secret': OIDC_CLIENT.secret,
        'idp-certificate-authority-data': Buffer.from(short.ca).toString('base64'),
        'refresh-token': await short.login(ANN),
      };
      const user = { 'auth-provider': { name: 'oidc', config } };
      const cluster = await connectAs(started, user);
      const saved = (): string => readFileSync(join(started.folder, 'config-0'), 'utf8');
      expect(await whoAmI(cluster)).toEqual(ANN_IS);
      const first = saved();
      expect(first).toContain('id-token');
      // Tokens live eleven seconds and are refreshed ten seconds before their end.
      await expect
        .poll(async () => [await whoAmI(cluster), saved() === first], { interval: 300 })
        .toEqual([ANN_IS, false]);
    } finally {
      await short[Symbol.asyncDispose]();
    }
  });

  it('refuses a token of the provider that has expired, and says why in the log', async () => {
    const short = await OidcIssuer.start({ idTokenSeconds: 1 });
    try {
      const started = await start((folder) => ({ ...withFlags(folder, short), verbosity: '1' }));
      const token = await short.idToken(ANN);
      await expect.poll(() => asToken(started, token), { interval: 200 }).toBe(401);
      await started.host.seen('oidc: token is expired');
    } finally {
      await short[Symbol.asyncDispose]();
    }
  });

  it('serves clients with an exec plugin that logs in', async () => {
    const started = await start((folder) => withFlags(folder));
    const exec = await loginPlugin(started.folder);
    expect(await whoAmI(await connectAs(started, { exec }))).toEqual(ANN_IS);
  });

  it('serves kubectl with that plugin', needs('kubectl'), async () => {
    const started = await start((folder) => withFlags(folder));
    await connectAs(started, { exec: await loginPlugin(started.folder) });
    const kubeconfig = join(started.folder, `config-${clusters.length - 1}`);
    const flags = ['--kubeconfig', kubeconfig, '--cache-dir', join(started.folder, 'cache')];
    const { stdout } = await run('kubectl', [...flags, 'auth', 'whoami', '-o', 'json']);
    const { username, groups } = JSON.parse(stdout).status.userInfo;
    expect([username, ...groups]).toEqual(ANN_IS);
  });
});

/** A program that asks the provider for a token, as `kubectl oidc-login` does, and keeps the refresh token that it gets. */
async function loginPlugin(folder: string): Promise<object> {
  const command = join(folder, 'login.mjs');
  const state = join(folder, 'login.json');
  const login = { url: issuer.url, ca: issuer.ca, client: OIDC_CLIENT, refreshToken: await issuer.login(ANN) };
  writeFileSync(state, JSON.stringify(login), { mode: 0o600 });
  writeFileSync(command, LOGIN.replace('STATE', JSON.stringify(state)));
  chmodSync(command, 0o755);
  return { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' };
}

const LOGIN = `#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
const state = STATE;
const login = JSON.parse(readFileSync(state, 'utf8'));
const { client, refreshToken } = login;
const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client.id, client_secret: client.secret };
const headers = { 'content-type': 'application/x-www-form-urlencoded' };
const sent = request(login.url + '/token', { method: 'POST', ca: login.ca, headers }, async (response) => {
  const parts = [];
  for await (const part of response) parts.push(part);
  const { id_token: token, refresh_token } = JSON.parse(Buffer.concat(parts).toString());
  writeFileSync(state, JSON.stringify({ ...login, refreshToken: refresh_token }));
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const status = { token, expirationTimestamp: new Date(exp * 1000).toISOString() };
  console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }));
});
sent.end(new URLSearchParams(form).toString());
`;

const configuration = (prefix: string, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: issuer.url, certificateAuthority: issuer.ca, audiences: [OIDC_CLIENT.id] },
        claimMappings: {
          username: { expression: `'${prefix}' + claims.sub` },
          groups: { expression: "claims.groups.filter(g, !g.startsWith('system:'))" },
        },
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    ...more,
  });

describe('--authentication-config', () => {
  it('counts without a restart; a wrong one is logged and the old one stays', async () => {
    const started = await start((folder) => {
      writeFileSync(join(folder, 'authn.yaml'), configuration('a:'));
      return { authenticationConfig: join(folder, 'authn.yaml') };
    });
    const path = join(started.folder, 'authn.yaml');
    const token = await issuer.idToken({ name: 'bob', groups: ['ops', 'system:masters'] });
    expect(await asToken(started, token)).toEqual(['a:bob', 'ops', 'system:authenticated']);
    const anonymous = await connectAs(started, {});
    const get = async (target: string): Promise<number> =>
      (await anonymous.transport.send({ method: 'GET', path: target, headers: {} })).status;
    expect([await get('/livez'), await get('/readyz')]).toEqual([200, 401]);
    writeFileSync(path, configuration('b:'));
    await expect.poll(() => asToken(started, token)).toEqual(['b:bob', 'ops', 'system:authenticated']);
    writeFileSync(path, configuration('c:', { anonymous: { enabled: false } }));
    await started.host.seen('anonymous: Forbidden: changed from initial configuration file');
    writeFileSync(path, configuration('c:', { nope: 1 }));
    await started.host.seen('strict decoding error: unknown field');
    expect(await asToken(started, token)).toEqual(['b:bob', 'ops', 'system:authenticated']);
    const reloads = 'apiserver_authentication_config_controller_automatic_reloads_total';
    const counted = (await metricsOf(started)).split('\n').filter((line) => line.startsWith(reloads));
    expect(counted.map((line) => line.replace(/,apiserver_id_hash="[^"]+"/u, ''))).toEqual([
      `${reloads}{status="success"} 1`,
      `${reloads}{status="failure"} 2`,
    ]);
  });

  it('that is wrong at the start ends it, with what is wrong', async () => {
    const folder = newFolder();
    const path = join(folder, 'authn.yaml');
    writeFileSync(path, configuration('a:', { jwt: [{ issuer: { url: 'http://x', audiences: ['a'] } }] }));
    const ended = serve(
      { storage: 'memory', console: 'off', port: '0', authenticationConfig: path },
      fakeHost({ folder }),
    );
    await expect(ended).rejects.toThrow('URL scheme must be https');
  });
});
