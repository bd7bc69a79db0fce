import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { rejection } from '@listwatch/conformance/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterAccess } from './cluster-access.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import { kubeconfigAccess } from './kubeconfig-access.ts';
import type { UserCredentials } from './user-credentials.ts';

/** A real program: it notes that it ran and what it was told, and answers with the next line of its script. */
const PLUGIN = `#!/usr/bin/env node
const fs = require('node:fs');
const folder = __dirname;
const runs = fs.existsSync(folder + '/runs') ? Number(fs.readFileSync(folder + '/runs', 'utf8')) : 0;
fs.writeFileSync(folder + '/runs', String(runs + 1));
fs.writeFileSync(folder + '/seen', JSON.stringify({ info: process.env.KUBERNETES_EXEC_INFO, args: process.argv.slice(2), mode: process.env.MODE }));
const answers = JSON.parse(fs.readFileSync(folder + '/answers', 'utf8'));
const answer = answers[Math.min(runs, answers.length - 1)];
if (answer.fail) { console.error(answer.fail); process.exit(3); }
console.log(answer.raw ?? JSON.stringify({ apiVersion: answer.version ?? 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: answer }));
`;

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-exec-'));
  clock = new FakeClock();
  writeFileSync(join(folder, 'plugin.cjs'), PLUGIN, { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const runs = (): number => (existsSync(join(folder, 'runs')) ? Number(readFileSync(join(folder, 'runs'), 'utf8')) : 0);

async function start(
  answers: readonly unknown[],
  exec: Readonly<Record<string, unknown>> = {},
): Promise<Pick<ClusterAccess, 'tls'> & { readonly credentials: UserCredentials }> {
  writeFileSync(join(folder, 'answers'), JSON.stringify(answers));
  const path = join(folder, 'config');
  const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } };
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://kube', 'tls-server-name': 'k', extensions: [extension] } }],
    users: [
      {
        name: 'u',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: './plugin.cjs',
            interactiveMode: 'Never',
            ...exec,
          },
        },
      },
    ],
  };
  writeFileSync(path, JSON.stringify(config));
  const loaded = await loadKubeconfig({ path });
  const { tls, credentials = expect.fail() } = await kubeconfigAccess(loaded?.context() ?? expect.fail(), clock);
  return { tls, credentials };
}

const pair = (name: string): object => ({ clientCertificateData: `cert ${name}`, clientKeyData: `key ${name}` });

describe('exec plugins', () => {
  it('runs once for all who wait, and keeps the token until it expires', async () => {
    const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
    const { credentials } = await start([{ token: 'one', expirationTimestamp }, { token: 'two' }]);
    const all = await Promise.all(Array.from({ length: 5 }, () => credentials.headers()));
    expect(all).toEqual(Array.from({ length: 5 }, () => ({ authorization: 'Bearer one' })));
    await clock.advance(59_999);
    await credentials.headers();
    expect(runs()).toBe(1);
    await clock.advance(1);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer two' });
    await clock.advance(10_000_000);
    await credentials.headers();
    expect(runs()).toBe(2);
  });

  it('runs again after a 401, once for all who were refused', async () => {
    const { credentials } = await start([{ token: 'one' }, { token: 'two' }, { token: 'three' }]);
    const refused = await credentials.headers();
    expect(await Promise.all([1, 2, 3].map(() => credentials.renew(refused)))).toEqual([true, true, true]);
    expect(await credentials.renew(refused)).toBe(true);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer two' });
    expect(runs()).toBe(2);
  });

  it('is told its arguments, its environment and, if it wants, the cluster', async () => {
    const told = { args: ['login', '--x'], env: [{ name: 'MODE', value: 'quiet' }], provideClusterInfo: true };
    const { credentials } = await start([{ token: 'one' }], told);
    await credentials.headers();
    const seen = JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'));
    expect(seen).toMatchObject({ args: ['login', '--x'], mode: 'quiet' });
    expect(JSON.parse(seen.info)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: { server: 'https://kube', 'tls-server-name': 'k', config: { audience: 'x' } },
      },
    });
  });

  it('gives client certificates, and says when they change', async () => {
    const { credentials, tls } = await start([pair('a'), pair('b')]);
    expect(await tls()).toMatchObject({ cert: 'cert a', key: 'key a' });
    expect(await credentials.headers()).toEqual({});
    let changes = 0;
    credentials.onCertificate = () => (changes += 1);
    await credentials.renew({});
    expect(await tls()).toMatchObject({ cert: 'cert b', key: 'key b' });
    expect(changes).toBe(1);
  });

  it('speaks v1beta1, where the mode may be left out', async () => {
    const version = 'client.authentication.k8s.io/v1beta1';
    const { credentials } = await start([{ token: 'old', version }], {
      apiVersion: version,
      interactiveMode: undefined,
    });
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer old' });
  });

  it.each<[string, readonly unknown[], Readonly<Record<string, unknown>>, RegExp]>([
    ['fails', [{ fail: 'session expired' }], {}, /plugin\.cjs did not log in: it ended with 3: session expired/u],
    [
      'is not installed',
      [],
      { command: './nowhere', installHint: 'brew install it' },
      /not installed\nbrew install it/u,
    ],
    ['writes no JSON', [{ raw: 'hello' }], {}, /is not JSON/u],
    ['answers in another version', [{ token: 'x', version: 'other/v1' }], {}, /answered in other\/v1/u],
    ['gives nothing', [{}], {}, /neither a token nor a certificate/u],
    ['gives half a certificate', [{ clientCertificateData: 'x' }], {}, /needs its key/u],
    ['gives no time', [{ token: 'x', expirationTimestamp: 'soon' }], {}, /is no time: soon/u],
    ['must ask without a terminal', [{ token: 'x' }], { interactiveMode: 'Always' }, /this is no terminal/u],
  ])(
    'a program that %s is a LOGIN_FAILED that says so, and the next request tries again',
    async (_, answers, exec, message) => {
      const { credentials } = await start(answers, exec);
      for (let i = 0; i < 2; i += 1) {
        expect(await rejection(credentials.headers())).toMatchObject({
          code: 'LOGIN_FAILED',
          message: expect.stringMatching(message),
        });
      }
    },
  );
});
