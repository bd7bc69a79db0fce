import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs, startEtcd } from '@listwatch/conformance/parts';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { ask, type Ended, ListwatchProcess, readCredentials } from './serve-process.fixture.ts';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

const newFolder = temporaryFolders();
const run = promisify(execFile);

function listwatch(folder: string, ...args: readonly string[]): ListwatchProcess {
  return new ListwatchProcess(args, folder);
}

/** Runs to the end. */
async function endOf(folder: string, ...args: readonly string[]): Promise<Ended> {
  await using child = listwatch(folder, ...args);
  return await child.ended;
}

const MEMORY = ['serve', '--port', '0', '--storage', 'memory'];

describe('the process listwatch serve', () => {
  it('answers the user of its kubeconfig over TLS, and ends on SIGTERM with code 0', async () => {
    const folder = newFolder();
    await using child = listwatch(folder, ...MEMORY);
    const { url, kubeconfig, msg } = await child.ready();
    expect(msg).toBe(`Ready at ${url}. Try: KUBECONFIG=.listwatch/kubeconfig kubectl get namespaces`);
    expect(kubeconfig).toBe(join(folder, '.listwatch/kubeconfig'));
    expect(await ask(kubeconfig, '/api/v1/namespaces/default')).toMatchObject({
      status: 200,
      body: { kind: 'Namespace', metadata: { name: 'default' } },
    });
    expect(await ask(kubeconfig, '/readyz')).toEqual({ status: 200, body: 'ok' });
    child.kill('SIGTERM');
    const { code, stderr, stdout } = await child.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('level', 'info');
  });

  it('knows bearer tokens, refuses those it does not know, and lets strangers read no more than health', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'tokens.csv'), 'good,alice,1,"system:masters"\nweak,bob,2\n');
    await using child = listwatch(folder, ...MEMORY, '--token-auth-file', 'tokens.csv');
    const { kubeconfig } = await child.ready();
    const status = async (token: string | undefined, path = '/api/v1/configmaps'): Promise<number> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await ask(kubeconfig, path, { cert: undefined, key: undefined, headers })).status;
    };
    expect(await status('good')).toBe(200);
    expect(await status('weak')).toBe(403);
    expect(await status('bad')).toBe(401);
    expect(await status(undefined)).toBe(403);
    expect(await status(undefined, '/healthz')).toBe(200);
  });

  it('serves with a certificate of its owner, whose kubeconfig says what to trust', async () => {
    const folder = newFolder();
    await using first = listwatch(folder, ...MEMORY, '--data', 'a');
    await first.ready();
    const own = ['--tls-cert-file', 'a/pki/server.crt', '--tls-private-key-file', 'a/pki/server.key'];
    await using second = listwatch(folder, ...MEMORY, '--data', 'b', ...own, '--client-ca-file', 'a/pki/ca.crt');
    const { kubeconfig } = await second.ready();
    const ca = readFileSync(join(folder, 'a/pki/ca.crt'));
    // Both authorities of clients count: the server's own, and the one that was named.
    expect(await ask(kubeconfig, '/api/v1/namespaces', { ca })).toMatchObject({ status: 200 });
    const other = ['crt', 'key'].map((type) => readFileSync(join(folder, `a/pki/admin.${type}`)));
    expect(await ask(kubeconfig, '/api/v1/namespaces', { ca, cert: other[0], key: other[1] })).toMatchObject({
      status: 200,
    });
    const { cluster } = parseYaml(readFileSync(kubeconfig, 'utf8')).clusters[0];
    expect(Buffer.from(cluster['certificate-authority-data'], 'base64')).toEqual(
      readFileSync(join(folder, 'a/pki/server.crt')),
    );
  });

  it('ends a watch when it drains', async () => {
    await using child = listwatch(newFolder(), ...MEMORY);
    const { kubeconfig, url } = await child.ready();
    const watch = request(`${url}/api/v1/namespaces?watch=true`, readCredentials(kubeconfig));
    watch.end();
    const [response] = await once(watch, 'response');
    await once(response, 'data');
    response.resume();
    child.kill('SIGINT');
    await once(response, 'end');
    expect(await child.ended).toMatchObject({ code: 0 });
  });

  it('ends at once, with code 130, on a second Ctrl-C', async () => {
    await using child = listwatch(newFolder(), ...MEMORY, '--shutdown-delay-duration', '1h');
    const { kubeconfig } = await child.ready();
    child.kill('SIGINT');
    await child.line('ending');
    expect(await ask(kubeconfig, '/readyz')).toMatchObject({ status: 500 });
    child.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 130, stderr: '' });
  });

  it('keeps what was written in its folder, which no second server may use meanwhile', async () => {
    const folder = newFolder();
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: '1' } };
    const path = '/api/v1/namespaces/default/configmaps';
    {
      await using child = listwatch(folder, 'serve', '--port', '0');
      const { kubeconfig } = await child.ready();
      const headers = { 'content-type': 'application/json' };
      expect(await ask(kubeconfig, path, { method: 'POST', headers }, configMap)).toMatchObject({ status: 201 });
      const { code, stdout, stderr } = await endOf(folder, 'serve', '--port', '0');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`listwatch: the store in ${folder}/.listwatch/store is in use by process ${child.pid}`);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      child.kill('SIGTERM');
      expect(await child.ended).toMatchObject({ code: 0 });
    }
    await using again = listwatch(folder, 'serve', '--port', '0');
    const { kubeconfig } = await again.ready();
    expect(await ask(kubeconfig, `${path}/kept`)).toMatchObject({ status: 200, body: { data: { a: '1' } } });
  });

  it('says in one sentence that its port is taken', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    try {
      expect(await endOf(newFolder(), 'serve', '--storage', 'memory', '--port', String(port))).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: `listwatch: port ${port} on 127.0.0.1 is taken; choose another one with --port (0 for any free one)\n`,
      });
    } finally {
      listener.close();
    }
  });

  it('says in one sentence that its folder cannot be used', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await endOf(folder, ...MEMORY, '--data', 'file/data');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `listwatch: the data folder ${folder}/file/data cannot be used: a part of its path is a file\n`,
    });
  });

  it.skipIf(process.getuid?.() === 0)('says in one sentence that its folder is not writable', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o500);
    const { code, stderr } = await endOf('/', ...MEMORY, '--data', folder);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `listwatch: the data folder ${folder} cannot be used: permission denied\n`,
    });
  });

  it('ends with code 2 and one line for a wrong option', async () => {
    expect(await endOf(newFolder(), 'serve', '--port', 'https')).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: 'listwatch: --port must be a whole number from 0 to 65535, got "https"\n',
    });
  });

  it('is understood by kubectl', needs('kubectl'), async () => {
    await using child = listwatch(newFolder(), ...MEMORY);
    const { kubeconfig } = await child.ready();
    const kubectl = async (...args: readonly string[]): Promise<string> =>
      (await run('kubectl', [`--kubeconfig=${kubeconfig}`, ...args])).stdout;
    expect(await kubectl('config', 'current-context')).toBe('listwatch\n');
    expect(await kubectl('get', 'namespace', 'default', '-o', 'name')).toBe('namespace/default\n');
  });
});

describe('the process listwatch serve on etcd', () => {
  it('keeps its objects below the prefix', needs('etcd'), async () => {
    await using etcd = await startEtcd();
    await using child = listwatch(newFolder(), 'serve', '--port', '0', '--etcd-servers', etcd.endpoint);
    const { kubeconfig } = await child.ready();
    expect(await ask(kubeconfig, '/api/v1/namespaces/kube-system')).toMatchObject({ status: 200 });
    const keys = await fetch(`${etcd.endpoint}/v3/kv/range`, {
      method: 'POST',
      body: JSON.stringify({ key: btoa('/'), range_end: btoa('0'), keys_only: true }),
    });
    const { kvs }: { kvs: readonly { key: string }[] } = JSON.parse(await keys.text());
    const found = kvs.map(({ key }) => atob(key));
    expect(found).toContain('/listwatch/registry/namespaces/kube-system');
    expect(found.every((key) => key.startsWith('/listwatch/'))).toBe(true);
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0 });
  });

  it('says in one sentence that etcd is not there', async () => {
    const { code, stderr } = await endOf(newFolder(), 'serve', '--port', '0', '--etcd-servers', 'http://127.0.0.1:9');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^listwatch: etcd at http:\/\/127\.0\.0\.1:9 cannot be used: [^\n]+\n$/u);
  });
});
