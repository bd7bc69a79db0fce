import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority } from '@listwatch/conformance/parts';
import { rejection } from '@listwatch/conformance/transport';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpProxy } from '../transport/dial/http-proxy.fixture.ts';
import { type Kubeconfig, loadKubeconfig } from './kubeconfig.ts';
import { kubeconfigAccess } from './kubeconfig-access.ts';
import type { UserCredentials } from './user-credentials.ts';

let folder: string;
let clock: FakeClock;
let provider: Server;
let providerPort: number;
let issuer: string;
let ca: string;
let forms: string[];
let answer: readonly [number, unknown];
/** Answers in its own way. False: this one is not for it. */
let flood: (request: IncomingMessage, response: ServerResponse) => boolean;

const SPACES = Buffer.alloc(16_384, ' ');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-oidc-'));
  clock = new FakeClock();
  forms = [];
  flood = () => false;
  using authority = new TestAuthority();
  ca = authority.ca;
  provider = createServer(authority.server(['DNS:issuer.test', 'IP:127.0.0.1']), (request, response) => {
    if (flood(request, response)) return;
    if (request.url === '/realm/.well-known/openid-configuration') {
      response.end(JSON.stringify({ token_endpoint: `${issuer.replace('/realm', '')}/token?x=1` }));
      return;
    }
    let form = '';
    request.on('data', (chunk: Buffer) => (form += chunk.toString()));
    request.on('end', () => {
      forms.push(`${request.url} ${form}`);
      response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
    });
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = provider.address();
  providerPort = typeof address === 'object' && address !== null ? address.port : 0;
  issuer = `https://127.0.0.1:${providerPort}/realm`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  provider.closeAllConnections();
  provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const idToken = (name: string, expiresInMs: number): string => {
  const claims = { sub: name, exp: Math.floor((clock.now() + expiresInMs) / 1000) };
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
};

async function start(tokens: Readonly<Record<string, string>>, more = ''): Promise<UserCredentials> {
  const path = join(folder, 'config');
  writeFileSync(path, kubeconfigOf(tokens, more), { mode: 0o600 });
  return credentialsOf(await loadKubeconfig({ path }));
}

async function credentialsOf(config: Kubeconfig | undefined): Promise<UserCredentials> {
  const { credentials } = await kubeconfigAccess(config?.context() ?? expect.fail(), clock);
  return credentials ?? expect.fail();
}

function kubeconfigOf(tokens: Readonly<Record<string, string>>, more = ''): string {
  return [
    'current-context: c',
    'contexts: [{ name: c, context: { cluster: c, user: u } }]',
    `clusters: [{ name: c, cluster: { server: "https://kube"${more} } }]`,
    'users:',
    '- name: u # mine',
    '  user:',
    '    auth-provider:',
    '      name: oidc',
    '      config:',
    `        idp-issuer-url: ${issuer}`,
    '        client-id: me',
    '        client-secret: s3',
    `        idp-certificate-authority-data: ${Buffer.from(ca).toString('base64')}`,
    ...Object.entries(tokens).map(([name, value]) => `        ${name}: ${value}`),
  ].join('\n');
}

describe('oidc', () => {
  it('uses the id token while it is good', async () => {
    const token = idToken('first', 60_000);
    const credentials = await start({ 'id-token': token, 'refresh-token': 'r1' });
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${token}` });
    expect(forms).toEqual([]);
  });

  it('refreshes before it expires, once for all who wait, and keeps the tokens in the kubeconfig', async () => {
    const credentials = await start({ 'id-token': idToken('first', 60_000), 'refresh-token': 'r1' });
    await clock.advance(55_000);
    const second = idToken('second', 60_000);
    answer = [200, { id_token: second, refresh_token: 'r2' }];
    const all = await Promise.all([credentials.headers(), credentials.headers()]);
    expect(all).toEqual([{ authorization: `Bearer ${second}` }, { authorization: `Bearer ${second}` }]);
    expect(forms).toEqual(['/token?x=1 grant_type=refresh_token&refresh_token=r1&client_id=me&client_secret=s3']);
    const saved = readFileSync(join(folder, 'config'), 'utf8');
    expect(saved).toContain('# mine');
    expect(saved).toContain('refresh-token: r2');
    expect(saved).toContain(`id-token: ${second}`);
    expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o600);
  });

  it('of a kubeconfig from text keeps new tokens in memory', async () => {
    const text = kubeconfigOf({ 'id-token': idToken('first', 5_000), 'refresh-token': 'r1' });
    const credentials = await credentialsOf(await loadKubeconfig({ text }));
    for (const name of ['second', 'third']) {
      answer = [200, { id_token: idToken(name, 60_000), refresh_token: `after ${name}` }];
      expect(await credentials.headers()).toEqual({ authorization: `Bearer ${idToken(name, 60_000)}` });
      await clock.advance(55_000);
    }
    expect(forms[1]).toContain('refresh_token=after+second');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the tokens where a link leads, in a file for its owner alone, and leaves nothing beside it', async () => {
    const credentials = await start({ 'id-token': idToken('first', 60_000), 'refresh-token': 'r1' });
    const [link, real] = [join(folder, 'config'), join(folder, 'real')];
    renameSync(link, real);
    symlinkSync(real, link);
    chmodSync(real, 0o644);
    // With a name that can be guessed this would be overwritten.
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, `${real}.${process.pid}.new`);
    symlinkSync(victim, `${link}.${process.pid}.new`);
    await clock.advance(55_000);
    answer = [200, { id_token: idToken('second', 60_000), refresh_token: 'r2' }];
    await credentials.headers();
    expect(readFileSync(real, 'utf8')).toContain('refresh-token: r2');
    expect([lstatSync(link).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o600]);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('refreshes after a 401', async () => {
    const credentials = await start({ 'id-token': idToken('first', 60_000), 'refresh-token': 'r1' });
    const refused = await credentials.headers();
    const second = idToken('second', 60_000);
    answer = [200, { id_token: second }];
    expect(await credentials.renew(refused)).toBe(true);
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${second}` });
  });

  it.each(['the kubeconfig', 'the environment'])('refreshes through the proxy of %s', async (where) => {
    const proxy = await startHttpProxy({ target: providerPort });
    const url = `http://me:pwd@127.0.0.1:${proxy.port}`;
    const isConfigured = where === 'the kubeconfig';
    // The proxy of the environment is not asked for when the kubeconfig names one.
    vi.stubEnv('HTTPS_PROXY', isConfigured ? 'http://127.0.0.1:1' : url);
    // Only the proxy knows the name.
    issuer = 'https://issuer.test:8443/realm';
    const credentials = await start({ 'refresh-token': 'r1' }, isConfigured ? `, proxy-url: "${url}"` : '');
    const token = idToken('first', 60_000);
    answer = [200, { id_token: token }];
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${token}` });
    const login = `Basic ${Buffer.from('me:pwd').toString('base64')}`;
    expect(proxy.asked).toEqual([`issuer.test:8443 ${login}`, `issuer.test:8443 ${login}`]);
    proxy.close();
  });

  it('refreshes without the proxy of the environment when the provider is exempt from it', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    const credentials = await start({ 'refresh-token': 'r1' });
    const token = idToken('first', 60_000);
    answer = [200, { id_token: token }];
    // 127.0.0.1 is never asked through a proxy.
    expect(await credentials.headers()).toEqual({ authorization: `Bearer ${token}` });
  });

  it('says what the provider said', async () => {
    const credentials = await start({ 'refresh-token': 'r1' });
    answer = [400, { error: 'invalid_grant', error_description: 'used before' }];
    expect(await rejection(credentials.headers())).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringMatching(
        /config:8: the oidc login failed: .*\/token\?x=1 answered with 400 invalid_grant: used before/u,
      ),
    });
  });

  it('reads no answer without an end, of discovery or of tokens', async () => {
    const credentials = await start({ 'refresh-token': 'r1' });
    for (const endless of ['/realm/.well-known/openid-configuration', '/token?x=1']) {
      const sent = { bytes: 0 };
      flood = (request, response) => {
        if (request.url !== endless) return false;
        const more = (): void => {
          while (!response.destroyed && response.write(SPACES)) sent.bytes += SPACES.length;
        };
        response.on('drain', more);
        more();
        return true;
      };
      expect(await rejection(credentials.headers())).toMatchObject({
        code: 'LOGIN_FAILED',
        message: expect.stringContaining(`${endless} did not answer: the answer has more than 262144 bytes`),
      });
      expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
    }
  });

  it('waits no longer than 30 s for an answer that comes bit by bit', async () => {
    const credentials = await start({ 'refresh-token': 'r1' });
    const asked = new Promise<void>((resolve) => {
      flood = (_, response) => {
        response.write(' ');
        resolve();
        return true;
      };
    });
    const failed = rejection(credentials.headers());
    await asked;
    await clock.advance(30_000);
    expect(await failed).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining('no answer within 30000 ms'),
    });
  });

  it('without a refresh token says that one has to log in', async () => {
    const credentials = await start({ 'id-token': idToken('first', -1000) });
    expect(await rejection(credentials.headers())).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining('log in'),
    });
    expect(await credentials.renew({ authorization: 'Bearer x' })).toBe(true);
  });
});
