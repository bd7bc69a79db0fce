import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { type Answer, ask, ListwatchProcess } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
/** Longer than a lease (15 s) and the retries after it, on a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 100 };
const NAMESPACE = '/api/v1/namespaces/a';
const MAPS = `${NAMESPACE}/configmaps`;

class SharedServer implements AsyncDisposable {
  readonly #process: ListwatchProcess;
  #kubeconfig = '';
  port = 0;

  constructor(etcd: EtcdProcess) {
    const flags = ['--port', '0', '--storage', 'etcd', '--etcd-servers', etcd.endpoint];
    this.#process = new ListwatchProcess(['serve', ...flags, '--advertise-address', '192.0.2.1'], newFolder());
  }

  async ready(): Promise<void> {
    const { url, kubeconfig } = await this.#process.ready();
    this.#kubeconfig = kubeconfig;
    this.port = Number(new URL(url).port);
  }

  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = body === undefined ? {} : { 'content-type': type };
    return ask(this.#kubeconfig, path, { method, headers }, body);
  }

  async names(): Promise<readonly string[]> {
    const { body } = await this.ask('GET', MAPS);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's own list
    const { items } = body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  }

  async isLeading(): Promise<boolean> {
    const { body } = await this.ask('GET', '/metrics');
    return /^leader_election_master_status\{.*\} 1$/mu.test(String(body));
  }

  /** The ports of the servers behind `default/kubernetes`. */
  async serverPorts(): Promise<readonly number[]> {
    const { body } = await this.ask('GET', '/api/v1/namespaces/default/endpoints/kubernetes');
    const ports = [...JSON.stringify(body).matchAll(/"port":(\d+)/gu)];
    return ports.map(([, port]) => Number(port)).toSorted((a, b) => a - b);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}

describe('two processes listwatch serve on one etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
  }, 60_000);

  afterAll(() => etcd.stop());

  it('have one leader; the other takes over from a killed one and ends what that had begun', async () => {
    await using first = new SharedServer(etcd);
    await first.ready();
    await vi.waitFor(async () => expect(await first.isLeading()).toBe(true), PATIENCE);
    await using second = new SharedServer(etcd);
    await first.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    for (const metadata of [{ name: 'free' }, { name: 'held', finalizers: ['example.com/f'] }]) {
      await first.ask('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    await first.ask('DELETE', NAMESPACE);
    await second.ready();
    const both = [first.port, second.port].toSorted((a, b) => a - b);
    await vi.waitFor(async () => expect(await second.serverPorts()).toEqual(both), PATIENCE);
    await vi.waitFor(async () => expect(await second.names()).toEqual(['held']), PATIENCE);
    expect([await first.isLeading(), await second.isLeading()]).toEqual([true, false]);
    await first.kill();
    await second.ask('PATCH', `${MAPS}/held`, { metadata: { finalizers: null } });
    expect(await second.names()).toEqual([]);
    // Only a namespace controller lets it go.
    expect(await second.ask('GET', NAMESPACE)).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect(await second.ask('GET', NAMESPACE)).toMatchObject({ status: 404 }), PATIENCE);
    expect(await second.isLeading()).toBe(true);
    await vi.waitFor(async () => expect(await second.serverPorts()).toEqual([second.port]), PATIENCE);
  }, 240_000);
});
