import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeApiserverProcess, needs, startKubeApiserver, TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ListwatchProcess, readCredentials } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { needPage } from './built-page.fixture.ts';
import { CLIENT_ID, OidcIssuer } from './oidc-issuer.fixture.ts';
import { OpenConsole } from './open-console.fixture.ts';

const newFolder = temporaryFolders();
const PATH = '/api/v1/namespaces/default/configmaps';
const GROUP = 'system:masters';
const TOKENS = ['file-token,file-user,1', 'exec-token,exec-user,2'].map((line) => `${line},${GROUP}`);

/** A server that knows the users of the tests. */
interface TestCluster extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
}

/** What all clusters trust. */
interface Trust {
  readonly folder: string;
  readonly authority: TestAuthority;
  readonly issuer: OidcIssuer;
}

/** Our server knows no OIDC: to it a token of the provider is one of its token file. */
async function startOwn({ folder, authority, issuer }: Trust): Promise<TestCluster> {
  const tokens = join(folder, 'tokens.csv');
  const clients = join(folder, 'clients.crt');
  writeFileSync(tokens, [...TOKENS, `${issuer.idToken},oidc-user,3,${GROUP}`, ''].join('\n'));
  writeFileSync(clients, authority.ca);
  const files = ['--token-auth-file', tokens, '--client-ca-file', clients];
  const server = new ListwatchProcess(
    ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*', '--console', 'off', ...files],
    folder,
  );
  const { url, kubeconfig } = await server.ready();
  const ca = String(readCredentials(kubeconfig).ca);
  return { url, ca, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The real one asks the provider for its keys. */
async function startReal({ folder, authority, issuer }: Trust): Promise<TestCluster> {
  const clients = join(folder, 'clients.crt');
  writeFileSync(clients, authority.ca);
  const server: KubeApiserverProcess = await startKubeApiserver({
    tokens: TOKENS,
    flags: [
      `--client-ca-file=${clients}`,
      `--oidc-issuer-url=${issuer.url}`,
      `--oidc-ca-file=${clients}`,
      `--oidc-client-id=${CLIENT_ID}`,
      '--oidc-signing-algs=ES256',
      '--oidc-username-claim=sub',
      '--oidc-username-prefix=-',
      '--oidc-groups-claim=groups',
    ],
  });
  const { ca, url, token } = server;
  const admin = { apiVersion: 'v1', kind: 'Config', users: [{ name: 'u', user: { token } }] };
  const kubeconfig = join(folder, 'admin');
  writeFileSync(kubeconfig, JSON.stringify({ ...admin, ...placeOf({ url, ca }) }));
  await using console = await OpenConsole.start(kubeconfig, { write: true });
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'testers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'testers' }],
  };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  // The default roles appear a little after the server is ready.
  await vi.waitFor(async () => expect((await console.browser.send(path, 'POST', binding)).status).toBe(201), 60_000);
  return { url, ca, [Symbol.asyncDispose]: () => server.stop() };
}

function placeOf({ url, ca }: Pick<TestCluster, 'ca' | 'url'>): object {
  return {
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': btoa(ca) } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

describe.each([
  ['listwatch', startOwn, {}],
  ['a real kube-apiserver', startReal, needs('kube-apiserver')],
] as const)('listwatch console in front of %s', (_, start, options) => {
  describe('lets the page in', options, () => {
    const folder = newFolder();
    let authority: TestAuthority;
    let issuer: OidcIssuer;
    let cluster: TestCluster;

    beforeAll(async () => {
      await needPage();
      authority = new TestAuthority();
      issuer = await OidcIssuer.start(authority, 'oidc-user');
      cluster = await start({ folder, authority, issuer });
    }, 180_000);

    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
      await issuer?.[Symbol.asyncDispose]();
      authority?.[Symbol.dispose]();
    });

    function kubeconfigOf(user: object): string {
      const path = join(newFolder(), 'kubeconfig');
      const config = { apiVersion: 'v1', kind: 'Config', users: [{ name: 'u', user }], ...placeOf(cluster) };
      writeFileSync(path, JSON.stringify(config));
      return path;
    }

    /** A program that gives these answers, the last one for ever, and how often it has run. */
    function programOf(answers: readonly object[]): { readonly exec: object; readonly runs: () => number } {
      const place = newFolder();
      const script = join(place, 'login.cjs');
      writeFileSync(join(place, 'answers.json'), JSON.stringify(answers));
      writeFileSync(join(place, 'runs'), '');
      writeFileSync(
        script,
        `const { appendFileSync, readFileSync } = require('node:fs');
        appendFileSync(__dirname + '/runs', 'x');
        const run = readFileSync(__dirname + '/runs').length - 1;
        const answers = JSON.parse(readFileSync(__dirname + '/answers.json'));
        const status = answers[Math.min(run, answers.length - 1)];
        if (status.failure !== undefined) {
          process.stderr.write(status.failure);
          process.exit(3);
        }
        const kind = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
        process.stdout.write(JSON.stringify({ ...kind, status }));`,
      );
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
      return {
        exec: { ...exec, command: process.execPath, args: [script] },
        runs: () => readFileSync(join(place, 'runs')).length,
      };
    }

    const past = new Date(Date.now() - 60_000).toISOString();

    it('with a client certificate: it reads and watches, and everything else is refused', async () => {
      const { cert, key } = authority.client(`/O=${GROUP}/CN=certificate-user`);
      const files = { 'client-certificate': join(folder, 'c.crt'), 'client-key': join(folder, 'c.key') };
      writeFileSync(files['client-certificate'], cert);
      writeFileSync(files['client-key'], key);
      await using opened = await OpenConsole.start(kubeconfigOf(files));
      const { browser } = opened;
      expect(await opened.user()).toBe('certificate-user');
      expect((await browser.send(PATH)).status).toBe(200);
      const { socket, frames } = await browser.watch(
        `${PATH}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      );
      await vi.waitFor(() => expect(frames.join('')).toContain('k8s.io/initial-events-end'), 20_000);
      socket.close();
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, text } = await browser.send(PATH, method, {});
        expect([method, status, JSON.parse(text).message]).toEqual([
          method,
          403,
          'the console was started for reading only',
        ]);
      }
      for (const path of [
        '/api/v1/namespaces/default/pods/p/exec?command=sh',
        '/api/v1/namespaces/default/services/s/proxy/',
        '/api/v1/namespaces/default/serviceaccounts/default/token',
      ])
        expect([path, (await browser.send(path)).status]).toEqual([path, 403]);
    });

    it('with --write: it creates, edits and deletes, and still makes no token and runs no command', async () => {
      await using opened = await OpenConsole.start(kubeconfigOf({ token: 'exec-token' }), { write: true });
      const { browser } = opened;
      const { socket, frames } = await browser.watch(`${PATH}?watch=true`);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'edited' }, data: { a: 'one' } };
      expect((await browser.send(PATH, 'POST', object)).status).toBe(201);
      const patched = await browser.send(`${PATH}/edited`, 'PUT', { ...object, data: { a: 'two' } });
      expect(JSON.parse(patched.text).data).toEqual({ a: 'two' });
      expect((await browser.send(`${PATH}/edited`, 'DELETE')).status).toBe(200);
      await vi.waitFor(() => expect(frames.join('')).toMatch(/"ADDED"[^]*"MODIFIED"[^]*"DELETED"/u), 20_000);
      socket.close();
      for (const path of [
        '/api/v1/namespaces/default/pods/p/exec?command=sh',
        '/api/v1/namespaces/default/pods/p/proxy/x',
        '/api/v1/namespaces/default/serviceaccounts/default/token',
      ])
        expect([path, (await browser.send(path, 'POST', {})).status]).toEqual([path, 403]);
    });

    it('with a token file that is written anew', async () => {
      const tokenFile = join(newFolder(), 'token');
      writeFileSync(tokenFile, 'old-token\n');
      await using opened = await OpenConsole.start(kubeconfigOf({ tokenFile }), { write: true });
      expect((await opened.browser.send(PATH)).status).toBe(401);
      writeFileSync(tokenFile, 'file-token\n');
      expect((await opened.browser.send(PATH)).status).toBe(200);
      expect(await opened.userNow()).toBe('file-user');
    });

    it('with a program that gives a token, and is asked again when the server refuses it', async () => {
      const { exec, runs } = programOf([{ token: 'old-token' }, { token: 'exec-token' }]);
      await using opened = await OpenConsole.start(kubeconfigOf({ exec }), { write: true });
      expect((await opened.browser.send(PATH)).status).toBe(200);
      expect(await opened.userNow()).toBe('exec-user');
      expect(runs()).toBe(2);
      // What the page is told has no credentials in it.
      for (const path of ['/console/session', '/version', PATH])
        expect((await opened.browser.send(path)).text).not.toContain('exec-token');
    });

    it('with a program that gives a certificate, and is asked again when it has expired', async () => {
      const certificates = ['first', 'second'].map((user) => {
        const { cert, key } = authority.client(`/O=${GROUP}/CN=${user}`);
        return { clientCertificateData: cert, clientKeyData: key };
      });
      const { exec, runs } = programOf([{ ...certificates[0], expirationTimestamp: past }, certificates[1] ?? {}]);
      await using opened = await OpenConsole.start(kubeconfigOf({ exec }), { write: true });
      await vi.waitFor(async () => expect(await opened.userNow()).toBe('second'), 20_000);
      expect((await opened.browser.send(PATH)).status).toBe(200);
      expect(runs()).toBe(2);
    });

    it('with OIDC: an id token that has expired is renewed, and the kubeconfig keeps the new ones', async () => {
      const ca = join(newFolder(), 'issuer.crt');
      writeFileSync(ca, authority.ca);
      const config = {
        'idp-issuer-url': issuer.url,
        'idp-certificate-authority': ca,
        'client-id': CLIENT_ID,
        'client-secret': 's',
        'id-token': issuer.expiredToken('oidc-user'),
        'refresh-token': 'refresh-1',
      };
      const kubeconfig = kubeconfigOf({ 'auth-provider': { name: 'oidc', config } });
      await using opened = await OpenConsole.start(kubeconfig, { write: true });
      await vi.waitFor(async () => expect(await opened.userNow()).toBe('oidc-user'), 20_000);
      expect((await opened.browser.send(PATH)).status).toBe(200);
      expect(issuer.refreshed).toEqual(['refresh-1']);
      expect(readFileSync(kubeconfig, 'utf8')).toContain('refresh-2');
    });

    it('and not with a program that fails: the terminal says why, and the page does not', async () => {
      const { exec } = programOf([{ token: 'old-token' }, { failure: 'password hunter2 is wrong' }]);
      await using opened = await OpenConsole.start(kubeconfigOf({ exec }));
      const answer = await opened.browser.send(PATH);
      expect(answer.status).toBe(503);
      expect(answer.text).not.toContain('hunter2');
      expect(opened.host.written.stderr).toContain('hunter2');
    });
  });
});
