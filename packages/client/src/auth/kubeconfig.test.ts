import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { rejection } from '@listwatch/conformance/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterAccess } from './cluster-access.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import { kubeconfigAccess } from './kubeconfig-access.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function accessOf(text: string, context?: string): Promise<ClusterAccess> {
  const config = await loadKubeconfig({ path: write('config', text) });
  if (config === undefined) throw new Error('no kubeconfig');
  return kubeconfigAccess(config.context(context), new FakeClock());
}

/** The same from text. */
async function accessOfText(text: string): Promise<ClusterAccess> {
  const config = await loadKubeconfig({ text, env: { KUBECONFIG: '/nowhere' } });
  if (config === undefined) throw new Error('no kubeconfig');
  return kubeconfigAccess(config.context(), new FakeClock());
}

/** A kubeconfig with one context, of these lines in its cluster and its user. */
const one = (cluster: readonly string[], user: readonly string[] = ['token: t']): string =>
  `apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: { cluster: c, user: u, namespace: team-a }
clusters:
- name: c
  cluster:
${cluster.map((line) => `    ${line}`).join('\n')}
users:
- name: u
  user:
${user.map((line) => `    ${line}`).join('\n')}
`;

const SERVER = 'server: https://10.0.0.1:6443';
const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const extension = (servers: string): readonly string[] => [
  SERVER,
  `extensions: [{ name: other, extension: 1 }, { name: listwatch.dev/servers, extension: { servers: ${servers} } }]`,
];

describe('kubeconfig', () => {
  it('gives the current context: server, namespace and token', async () => {
    const access = await accessOf(one([SERVER]));
    expect(access).toMatchObject({ servers: ['https://10.0.0.1:6443'], namespace: 'team-a', proxy: undefined });
    expect(await access.credentials?.headers()).toEqual({ authorization: 'Bearer t' });
    expect(await access.tls()).toEqual({ insecure: false });
  });

  it('has further servers in an extension of the cluster, which kubectl passes over', async () => {
    const { servers } = await accessOf(one(extension('["https://10.0.0.2:6443", "https://10.0.0.1:6443"]')));
    expect(servers.toSorted()).toEqual(['https://10.0.0.1:6443', 'https://10.0.0.2:6443']);
    expect(await rejection(accessOf(one(extension('[kube]'))))).toMatchObject({
      code: 'FILE_INVALID',
      message: expect.stringMatching(/config:11: .*extension\.servers has what is not an address .*: kube/u),
    });
  });

  it('reads every field of a cluster', async () => {
    const fields = ['tls-server-name: kube', 'proxy-url: socks5://p:1', `certificate-authority-data: ${base64(PEM)}`];
    const access = await accessOf(one([SERVER, ...fields]));
    expect([access.proxy, access.compression]).toEqual(['socks5://p:1', undefined]);
    expect(await access.tls()).toEqual({ ca: PEM, insecure: false, serverName: 'kube' });
    const open = await accessOf(one([SERVER, 'insecure-skip-tls-verify: true']));
    expect(await open.tls()).toEqual({ insecure: true });
    expect((await accessOf(one([SERVER, 'disable-compression: true']))).compression).toBe(false);
  });

  it('reads files beside the kubeconfig, anew for each connection', async () => {
    mkdirSync(join(folder, 'pki'));
    for (const name of ['ca', 'cert', 'key']) write(`pki/${name}`, PEM.replace('x', name));
    const access = await accessOf(
      one([SERVER, 'certificate-authority: pki/ca'], ['client-certificate: pki/cert', 'client-key: pki/key']),
    );
    expect(await access.tls()).toMatchObject({ ca: PEM.replace('x', 'ca'), cert: PEM.replace('x', 'cert') });
    write('pki/cert', PEM.replace('x', 'second'));
    expect(await access.tls()).toMatchObject({ cert: PEM.replace('x', 'second'), key: PEM.replace('x', 'key') });
  });

  it('takes data before a file of the same field', async () => {
    const access = await accessOf(
      one([SERVER, 'certificate-authority: /nowhere', `certificate-authority-data: ${base64(PEM)}`]),
    );
    expect(await access.tls()).toMatchObject({ ca: PEM });
  });

  it('knows a password, and tokens go before it', async () => {
    const access = await accessOf(one([SERVER], ['username: me', 'password: sécret']));
    expect(await access.credentials?.headers()).toEqual({ authorization: `Basic ${base64('me:sécret')}` });
    const both = await accessOf(one([SERVER], ['username: me', 'password: x', 'token: t']));
    expect(await both.credentials?.headers()).toEqual({ authorization: 'Bearer t' });
  });

  it('reads whom to act as', async () => {
    const fields = ['token: t', 'as: bob', 'as-uid: "7"', 'as-groups: [a, b]', 'as-user-extra: { scope: [x, y] }'];
    const { impersonate } = await accessOf(one([SERVER], fields));
    expect(impersonate).toEqual({ user: 'bob', uid: '7', groups: ['a', 'b'], extra: { scope: ['x', 'y'] } });
  });

  it('merges files: the first that has a name, or says which context, decides', async () => {
    const first = write(
      'first',
      `current-context: two
contexts: [{ name: two, context: { cluster: b, user: u } }]
users: [{ name: u, user: { token: from-first } }]
clusters: [{ name: a, cluster: { server: "https://first-a" } }]
`,
    );
    const second = write(
      'second',
      `current-context: one
contexts: [{ name: one, context: { cluster: a, user: u } }]
users: [{ name: u, user: { token: from-second, as: nobody } }]
clusters: [{ name: a, cluster: { server: "https://second-a" } }, { name: b, cluster: { server: "https://second-b" } }]
`,
    );
    const env = { KUBECONFIG: [join(folder, 'not-there'), first, '', second].join(delimiter) };
    const config = await loadKubeconfig({ env });
    expect(config?.files).toEqual([first, second]);
    expect(config?.contextNames).toEqual(['two', 'one']);
    const clock = new FakeClock();
    const two = await kubeconfigAccess(config?.context() ?? expect.fail(), clock);
    expect([two.servers, await two.credentials?.headers()]).toEqual([
      ['https://second-b'],
      { authorization: 'Bearer from-first' },
    ]);
    const other = await kubeconfigAccess(config?.context('one') ?? expect.fail(), clock);
    expect([other.servers, other.impersonate]).toEqual([['https://first-a'], undefined]);
  });

  it('finds ~/.kube/config, and nothing where there is nothing', async () => {
    expect(await loadKubeconfig({ env: { HOME: folder } })).toBeUndefined();
    mkdirSync(join(folder, '.kube'));
    const path = write('.kube/config', one([SERVER]));
    expect((await loadKubeconfig({ env: { HOME: folder } }))?.files).toEqual([path]);
  });

  it.each<[string, string, string, RegExp]>([
    ['not YAML', 'contexts:\n  - a: [\n', 'FILE_INVALID', /config:\d+ is not YAML/u],
    [
      'a list for a map',
      one(['server: [a]']),
      'FILE_INVALID',
      /config:10: clusters\[0\]\.cluster\.server is not a text/u,
    ],
    ['no server', one(['tls-server-name: x']), 'FILE_INVALID', /config:10: clusters\[0\]\.cluster has no server/u],
    ['no address', one(['server: 10.0.0.1']), 'FILE_INVALID', /config:10: .* is not an address as https/u],
    [
      'a flag that is none',
      one([SERVER, 'insecure-skip-tls-verify: "yes"']),
      'FILE_INVALID',
      /config:11: .*neither true/u,
    ],
    ['a proxy that is none', one([SERVER, 'proxy-url: ftp://x']), 'FILE_INVALID', /config:11: .*proxy/u],
    [
      'data that is no PEM',
      one([SERVER, 'certificate-authority-data: AAAA']),
      'FILE_INVALID',
      /config:11: .* is not PEM/u,
    ],
    [
      'both ways to trust',
      one([SERVER, `certificate-authority-data: ${base64(PEM)}`, 'insecure-skip-tls-verify: true']),
      'FILE_INVALID',
      /only one/u,
    ],
    [
      'a key without a certificate',
      one([SERVER], ['client-key: /k']),
      'FILE_INVALID',
      /client-key but no client-certificate/u,
    ],
    ['as-groups without as', one([SERVER], ['as-groups: [a]']), 'FILE_INVALID', /no as/u],
    [
      'no such user',
      one([SERVER]).replace('user: u,', 'user: v,'),
      'NAME_UNKNOWN',
      /config:6 names the user v, .* there are: u/u,
    ],
    ['no current context', one([SERVER]).replace('current-context: main', ''), 'NAME_UNKNOWN', /choose one of main/u],
    ['a removed provider', one([SERVER], ['auth-provider: { name: gcp }']), 'UNSUPPORTED', /gcp has been removed/u],
    [
      'an old exec version',
      one([SERVER], ['exec: { apiVersion: client.authentication.k8s.io/v1alpha1 }']),
      'UNSUPPORTED',
      /use client/u,
    ],
    [
      'exec without a mode',
      one([SERVER], ['exec: { apiVersion: client.authentication.k8s.io/v1, command: x }']),
      'FILE_INVALID',
      /interactiveMode/u,
    ],
  ])('%s: says where it stands and what to do, in a file as in text', async (_, text, code, message) => {
    expect(await rejection(accessOf(text))).toMatchObject({ code, message: expect.stringMatching(message) });
    const error = await rejection(accessOfText(text));
    expect(error).toMatchObject({ name: 'ConfigError', code });
    expect(String(error).replaceAll('the kubeconfig text', '/x/config')).toMatch(message);
  });

  it('a context that is not there is answered with those that are', async () => {
    expect(await rejection(accessOf(one([SERVER]), 'prod'))).toMatchObject({
      code: 'NAME_UNKNOWN',
      message: expect.stringMatching(/has no context prod: choose one of main/u),
    });
  });

  it('a file that is named and missing is named', async () => {
    const missing = join(folder, 'nowhere');
    expect(await rejection(loadKubeconfig({ path: missing }))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: `the kubeconfig ${missing} cannot be read: there is no such file`,
    });
    const access = await accessOf(one([SERVER], ['tokenFile: secret']));
    expect(await rejection(access.credentials?.headers() ?? Promise.resolve())).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(join(folder, 'secret')),
    });
    expect(await rejection(accessOf(one([SERVER, 'certificate-authority: ca.crt'])))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/config:11: the certificate-authority .*ca\.crt cannot be read/u),
    });
  });

  it('comes from text, where no file is looked for', async () => {
    const ca = write('ca', PEM);
    const text = one([SERVER, `certificate-authority: ${ca}`]);
    const access = await accessOfText(text);
    expect(access).toMatchObject({ servers: ['https://10.0.0.1:6443'], namespace: 'team-a' });
    expect(await access.credentials?.headers()).toEqual({ authorization: 'Bearer t' });
    expect(await access.tls()).toMatchObject({ ca: PEM });
    expect(await loadKubeconfig({ text })).toMatchObject({ files: [], contextNames: ['main'], currentContext: 'main' });
  });

  it.each([
    ['certificate-authority', one([SERVER, 'certificate-authority: pki/ca']), /:11: .* pki\/ca, .*authority-data$/u],
    [
      'client-certificate',
      one([SERVER], ['client-certificate: c', 'client-key: k']),
      /:14: .*client-certificate-data$/u,
    ],
    ['tokenFile', one([SERVER], ['tokenFile: ./t']), /:14: users\[0\]\.user\.tokenFile .* use an absolute path$/u],
    [
      'exec command',
      one([SERVER], ['exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: bin/x }']),
      /:14: .*exec\.command is the relative path bin\/x/u,
    ],
  ])('in a text a relative %s is refused, for there is no folder', async (_, text, message) => {
    expect(await rejection(accessOfText(text))).toMatchObject({
      code: 'FILE_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('a program by its bare name is looked for in PATH, also from text', async () => {
    const exec = 'exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: aws }';
    expect((await accessOfText(one([SERVER], [exec]))).credentials).toBeDefined();
  });

  it.each([
    ['an empty text', ' \n', 'the kubeconfig text: is empty'],
    ['a path', './kubeconfig', /is not a map: pass the YAML itself, neither a path nor base64/u],
    ['base64', base64(one([SERVER])), /neither a path nor base64/u],
  ])('%s is no kubeconfig, and the text is not in the message', async (_, text, message) => {
    const error = await rejection(loadKubeconfig({ text }));
    expect(error).toMatchObject({ code: 'FILE_INVALID', message: expect.stringMatching(message) });
    if (text.trim() !== '') expect(String(error)).not.toContain(text);
    expect(await rejection(loadKubeconfig({ text, path: 'x' }))).toBeInstanceOf(TypeError);
  });

  it.skipIf(process.getuid?.() === 0)('a file that may not be read is named', async () => {
    const path = write('config', one([SERVER]));
    chmodSync(path, 0o000);
    expect(await rejection(loadKubeconfig({ path }))).toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});
