import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import {
  askEtcd,
  needs,
  startEtcd,
  startTcpProxy,
  TestAuthority,
  type TestCertificatePair,
} from '@listwatch/conformance/parts';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { ask, ListwatchProcess, readCredentials } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
const WAIT = { timeout: 60_000, interval: 100 };
const MAPS = '/api/v1/namespaces/default/configmaps';

/** A server whose etcd asks for credentials, and a watch through it that runs all the time. */
class WatchedServer implements AsyncDisposable {
  readonly process: ListwatchProcess;
  #kubeconfig = '';
  #watched = '';
  #end = (): void => undefined;
  #count = 0;

  constructor(flags: readonly string[]) {
    this.process = new ListwatchProcess(['serve', '--port', '0', ...flags], newFolder());
  }

  async ready(): Promise<void> {
    this.#kubeconfig = (await this.process.ready()).kubeconfig;
    const { server, ...credentials } = readCredentials(this.#kubeconfig);
    const sent = request(new URL(`${MAPS}?watch=true`, server), { ...credentials, agent: false });
    this.#end = () => sent.destroy();
    sent.on('error', () => undefined);
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    response?.on('data', (data: Buffer) => {
      this.#watched += String(data);
    });
    response?.on('error', () => undefined);
  }

  /** A write works, and the watch shows it. */
  async works(): Promise<void> {
    this.#count += 1;
    const name = `map-${this.#count}`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
    const headers = { 'content-type': 'application/json' };
    await vi.waitFor(async () => {
      const { status } = await ask(this.#kubeconfig, MAPS, { method: 'POST', headers }, body);
      // A write whose connection was cut may have been carried out.
      expect([201, 409]).toContain(status);
    }, WAIT);
    await vi.waitFor(() => expect(this.#watched).toContain(`"name":"${name}"`), WAIT);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.process[Symbol.asyncDispose]();
  }
}

describe('a running listwatch serve takes what is new', needs('etcd'), () => {
  it('in --etcd-certfile, --etcd-keyfile and --etcd-cafile, and says what it cannot use', async () => {
    const folder = newFolder();
    using old = new TestAuthority('old');
    using next = new TestAuthority('next');
    const path = (name: string): string => join(folder, name);
    const write = (name: string, { cert, key }: TestCertificatePair): void => {
      writeFileSync(path(`${name}.crt`), cert);
      writeFileSync(path(`${name}.key`), key);
    };
    write('etcd', old.server());
    write('client', old.client('/CN=server'));
    writeFileSync(path('ca.crt'), old.ca);
    writeFileSync(path('clients.crt'), old.ca);
    const tls = { cert: path('etcd.crt'), key: path('etcd.key'), clientCa: path('clients.crt') };
    await using etcd = await startEtcd({ tls });
    await using proxy = await startTcpProxy(etcd.port);
    const endpoint = ['--etcd-servers', proxy.endpoint.replace('http:', 'https:'), '--etcd-cafile', path('ca.crt')];
    const client = ['--etcd-certfile', path('client.crt'), '--etcd-keyfile', path('client.key')];
    await using server = new WatchedServer([...endpoint, ...client]);
    await server.ready();
    await server.works();

    writeFileSync(path('client.key'), '');
    proxy.cut();
    await server.works();
    expect(await server.process.line('cannot be used')).toContain(`${path('client.key')} holds no private key in PEM`);

    // As the guide says: both authorities, then new certificates on both sides, then the new authority alone.
    for (const name of ['ca.crt', 'clients.crt']) writeFileSync(path(name), `${old.ca}${next.ca}`);
    await etcd.kill();
    await etcd.restart();
    write('client', next.client('/CN=server'));
    write('etcd', next.server());
    await server.works();
    for (const name of ['ca.crt', 'clients.crt']) writeFileSync(path(name), next.ca);
    await etcd.kill();
    await etcd.restart();
    await server.works();
  }, 240_000);

  it('in --etcd-password-file', async () => {
    await using etcd = await startEtcd();
    const root = { name: 'root', password: 'root' };
    await askEtcd(etcd, 'auth/role/add', { name: 'root' });
    for (const user of [root, { name: 'server', password: 'first' }]) {
      await askEtcd(etcd, 'auth/user/add', user);
      await askEtcd(etcd, 'auth/user/grant', { user: user.name, role: 'root' });
    }
    await askEtcd(etcd, 'auth/enable');
    const file = join(newFolder(), 'password');
    writeFileSync(file, 'first\n');
    await using proxy = await startTcpProxy(etcd.port);
    const user = ['--etcd-username', 'server', '--etcd-password-file', file];
    await using server = new WatchedServer(['--etcd-servers', proxy.endpoint, ...user]);
    await server.ready();
    await server.works();
    // In the wrong order, and far too late: the log says what to do.
    const { token } = Object(await askEtcd(etcd, 'auth/authenticate', root));
    const answer = await fetch(`${etcd.endpoint}/v3/auth/user/changepw`, {
      method: 'POST',
      headers: { authorization: token },
      body: JSON.stringify({ name: 'server', password: 'second' }),
    });
    expect(answer.status).toBe(200);
    proxy.cut();
    expect(await server.process.line('no member of etcd serves')).toContain('invalid user ID or password');
    await server.process.line('etcd refuses the password of server');
    writeFileSync(file, 'second\n');
    await server.works();
  }, 240_000);
});
