/** Three members of etcd and three servers on loopback, with TLS between all of them. */

import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, type TlsFiles } from './ask.ts';
import { makeCertificates } from './certificates.ts';
import { Member } from './member.ts';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));
const ETCD = process.env['ETCD_BIN'] ?? 'etcd';
const SIZE = 3;
const START_MS = 60_000;

/** How one of them is. */
export interface MemberStatus {
  readonly name: string;
  readonly pid: number;
  readonly isUp: boolean;
  /** Leads the members of etcd, or runs the controllers. */
  readonly leads: boolean;
}

export class ExampleCluster {
  readonly kubeconfig: string;
  readonly #folder: string;
  readonly #etcd: Member[] = [];
  readonly #servers: Member[] = [];
  #isEnding = false;
  #etcdTls: TlsFiles | undefined;
  #serverTls: TlsFiles | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.kubeconfig = join(folder, 'kubeconfig');
  }

  /** Resolves when all serve and the kubeconfig is written. */
  async start(): Promise<void> {
    const { ca, cert, key } = makeCertificates(this.#folder);
    this.#etcdTls = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
    const ports = await freePorts(3 * SIZE);
    const peers = ports.slice(SIZE, 2 * SIZE).map((port) => `https://127.0.0.1:${port}`);
    const cluster = peers.map((peer, index) => `etcd-${index + 1}=${peer}`).join(',');
    for (const [index, peer] of peers.entries()) {
      const name = `etcd-${index + 1}`;
      const client = `https://127.0.0.1:${ports[index]}`;
      this.#etcd.push(
        new Member(
          name,
          client,
          [
            ETCD,
            `--name=${name}`,
            `--data-dir=${join(this.#folder, name)}`,
            `--listen-client-urls=${client}`,
            `--advertise-client-urls=${client}`,
            `--listen-peer-urls=${peer}`,
            `--initial-advertise-peer-urls=${peer}`,
            `--initial-cluster=${cluster}`,
            ...['', 'peer-'].flatMap((kind) => [
              `--${kind}cert-file=${cert}`,
              `--${kind}key-file=${key}`,
              `--${kind}trusted-ca-file=${ca}`,
              `--${kind}client-cert-auth`,
            ]),
            '--log-level=warn',
          ],
          join(this.#folder, `${name}.log`),
        ),
      );
    }
    await this.#until('etcd', async () => (await this.status()).filter(({ leads }) => leads).length === 1);
    const tlsFlags = ['--etcd-cafile', ca, '--etcd-certfile', cert, '--etcd-keyfile', key];
    const urls = ports.slice(2 * SIZE).map((port) => `https://127.0.0.1:${port}`);
    await this.#startServer(0, urls[0] ?? '', tlsFlags);
    await Promise.all(urls.slice(1).map((url, index) => this.#startServer(index + 1, url, tlsFlags)));
    writeFileSync(this.kubeconfig, JSON.stringify(this.#kubeconfigOf(), undefined, 2), { mode: 0o600 });
    for (const member of [...this.#etcd, ...this.#servers]) member.keepAlive();
  }

  /** Asks all of them. */
  async status(): Promise<readonly MemberStatus[]> {
    return Promise.all([
      ...this.#etcd.map(async ({ name, pid, url }) => {
        const answer = this.#etcdTls && (await ask(`${url}/v3/maintenance/status`, this.#etcdTls, '{}'));
        return { name, pid, isUp: answer !== undefined, leads: answer !== undefined && isLeader(answer) };
      }),
      ...this.#servers.map(async ({ name, pid, url }) => {
        const tls = this.#serverTls;
        const isUp = tls !== undefined && (await ask(`${url}/readyz`, tls)) !== undefined;
        const metrics = isUp ? await ask(`${url}/metrics`, tls) : undefined;
        return { name, pid, isUp, leads: /^leader_election_master_status\{.*\} 1$/mu.test(metrics ?? '') };
      }),
    ]);
  }

  /** Ends the servers first: they give up their leases. A start that is under way rejects. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#servers.map((server) => server.end()));
    await Promise.all(this.#etcd.map((member) => member.end()));
  }

  kill(): void {
    for (const member of [...this.#servers, ...this.#etcd]) member.kill();
  }

  async #startServer(index: number, url: string, tlsFlags: readonly string[]): Promise<void> {
    if (this.#isEnding) throw new Error('the cluster ends before it has started');
    const name = `server-${index + 1}`;
    const data = join(this.#folder, name);
    mkdirSync(data);
    // The first one makes the authority that all of them use: one kubeconfig works for all.
    if (index > 0) cpSync(join(this.#folder, 'server-1', 'pki'), join(data, 'pki'), { recursive: true });
    const etcd = this.#etcd.map((member) => member.url).join(',');
    const port = new URL(url).port;
    const flags = ['--data', data, '--port', port, '--etcd-servers', etcd, ...tlsFlags];
    const command = [process.execPath, ...process.execArgv, BIN, 'serve', ...flags] as const;
    this.#servers.push(new Member(name, url, [...command], join(this.#folder, `${name}.log`)));
    await this.#until(name, async () => {
      this.#serverTls ??= readServerTls(join(data, 'kubeconfig'));
      return (await this.status()).some((status) => status.name === name && status.isUp);
    });
  }

  /** `cluster` lists all servers; the contexts of single servers are for kubectl, which uses one. */
  #kubeconfigOf(): object {
    const [first, ...others] = this.#servers.map(({ url }) => url);
    const { ca, cert, key } = this.#serverTls ?? { ca: '', cert: '', key: '' };
    const authority = { 'certificate-authority-data': base64(ca) };
    const extensions = [{ name: 'listwatch.dev/servers', extension: { servers: others } }];
    const single = this.#servers.map(({ name, url }) => ({ name, cluster: { server: url, ...authority } }));
    const clusters = [{ name: 'cluster', cluster: { server: first, ...authority, extensions } }, ...single];
    return {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'cluster',
      clusters,
      contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: 'admin' } })),
      users: [{ name: 'admin', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
    };
  }

  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + START_MS;
    while (!(await isTrue().catch(() => false))) {
      if (this.#isEnding) throw new Error('the cluster ends before it has started');
      const dead = [...this.#etcd, ...this.#servers].find(({ runs }) => !runs);
      if (dead !== undefined) throw new Error(`${dead.name} has ended: ${dead.lastWords}`);
      if (Date.now() > deadline) throw new Error(`${what} is not ready after ${START_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function base64(data: string | Buffer): string {
  return Buffer.from(data).toString('base64');
}

function isLeader(status: string): boolean {
  const { header, leader }: { header?: { member_id?: string }; leader?: string } = JSON.parse(status);
  return leader !== undefined && leader !== '0' && header?.member_id === leader;
}

function readServerTls(kubeconfig: string): TlsFiles {
  const text = readFileSync(kubeconfig, 'utf8');
  const field = (name: string): Buffer => {
    const [, data] = new RegExp(`${name}"?: "?([\\w+/=]+)`, 'u').exec(text) ?? [];
    if (data === undefined) throw new Error(`${kubeconfig} has no ${name}`);
    return Buffer.from(data, 'base64');
  };
  return {
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  };
}

/** Ports that are free now. All are held until all are known, or the same one would come twice. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}
