/** `listwatch serve` behind relays, which are behind the proxy that cuts connections. Start at {@link startRelayedServer}. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startTcpProxy, type TcpProxy } from '@listwatch/conformance/parts';
import { type InteropServer, startInteropServer } from './interop-server.ts';
import type { ScenarioServer } from './scenario-server.ts';
import type { FactSource } from './server-facts.ts';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));
const KINDS = 'configmaps,namespaces,pods,secrets,leases.coordination.k8s.io';

/** A relay as a child process. It keeps its port when it is started again. */
class RelayProcess {
  readonly #folder: string;
  readonly #upstream: readonly string[];
  #child: ChildProcess | undefined;
  #health = '';
  #port = 0;

  constructor(folder: string, upstream: readonly string[]) {
    this.#folder = folder;
    this.#upstream = upstream;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get authority(): string {
    return join(this.#folder, 'data/pki/ca.crt');
  }

  async start(): Promise<void> {
    const ports = ['--port', String(this.#port), '--health-address', '127.0.0.1:0'];
    const flags = ['--kinds', KINDS, '--data', join(this.#folder, 'data'), ...ports, ...this.#upstream];
    const child = spawn(process.execPath, ['--conditions=@listwatch/source', BIN, 'relay', ...flags]);
    this.#child = child;
    // So that a run that is interrupted leaves no relay behind.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(-4000);
    });
    const lines = createInterface({ input: child.stdout });
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        const relay = /relay on https:\/\/[^ ]*:(\d+) /u.exec(line)?.[1];
        if (relay !== undefined) this.#port = Number(relay);
        this.#health = /health and metrics on ([^\s"]+)/u.exec(line)?.[1] ?? this.#health;
        if (line.includes('kinds are answered from the cache')) resolve();
      });
      child.once('close', (code) => reject(new Error(`listwatch relay ended with ${code}: ${errors}`)));
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  /** Lists of ConfigMaps that it has answered itself, without those that it has asked for itself to see that its server is still the same. */
  async lists(): Promise<number> {
    const text = await new Promise<string>((resolve, reject) => {
      get(`${this.#health}/metrics`, (answer) => {
        let read = '';
        answer.on('data', (data: Buffer) => {
          read += data.toString();
        });
        answer.on('end', () => resolve(read));
      }).on('error', reject);
    });
    const answered = /^listwatch_relay_cached_requests_total\{kind="configmaps",verb="list"\} (\d+)$/mu.exec(text);
    const checks = /^listwatch_relay_kind_checks_total\{kind="configmaps"\} (\d+)$/mu.exec(text);
    return Number(answered?.[1] ?? 0) - Number(checks?.[1] ?? 0);
  }
}

class RelayedServer implements ScenarioServer {
  readonly resumesAfterKill = true;
  readonly proxy: TcpProxy;
  readonly #server: InteropServer;
  /** The first one is nearest to the server. */
  readonly #relays: readonly RelayProcess[];
  readonly #folder: string;
  #listsBefore = 0;

  constructor(server: InteropServer, relays: readonly RelayProcess[], proxy: TcpProxy, folder: string) {
    this.#server = server;
    this.#relays = relays;
    this.proxy = proxy;
    this.#folder = folder;
  }

  get directKubeconfig(): string {
    return this.#server.directKubeconfig;
  }

  get facts(): FactSource {
    return this.#server.facts;
  }

  /** With a token: certificates of clients do not pass through. */
  get environment(): Readonly<Record<string, string>> {
    const address = `https://127.0.0.1:${this.proxy.port}`;
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const { token } = this.facts;
    const authority = readFileSync(this.#relays.at(-1)?.authority ?? '').toString('base64');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: address, 'certificate-authority-data': authority } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
    return { KUBECONFIG: kubeconfig, INTEROP_SERVER: address, INTEROP_TOKEN: token };
  }

  async start(): Promise<void> {
    await this.#server.start();
  }

  /** The relays have a window of their own, which goes with them. */
  async startForgetful(): Promise<void> {
    await this.#server.startForgetful();
    for (const relay of this.#relays) {
      await relay.kill();
      await relay.start();
    }
    this.#listsBefore = 0;
  }

  /** The counts of the server begin anew, so do those of the relays: what they ask the next one is its. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#server.stop(signal);
    this.#listsBefore = await this.#lists();
  }

  /** What the relays answer themselves counts like what passes. */
  async countReads(): Promise<number> {
    return (await this.#server.countReads()) + (await this.#lists()) - this.#listsBefore;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.close();
    for (const relay of this.#relays) await relay.kill();
    await this.#server[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #lists(): Promise<number> {
    const lists = await Promise.all(this.#relays.map((relay) => relay.lists()));
    return lists.reduce((sum, count) => sum + count, 0);
  }
}

/** A server on lmdb behind this many relays. */
export async function startRelayedServer(count: number): Promise<ScenarioServer> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-interop-'));
  const server = await startInteropServer('lmdb');
  const { address, token } = server.facts;
  // The certificate of the server is its own; nothing but loopback is read here.
  let upstream = ['--server', address, '--token', token, '--insecure-skip-tls-verify'];
  const relays: RelayProcess[] = [];
  for (let at = 0; at < count; at += 1) {
    const relay = new RelayProcess(join(folder, `relay-${at}`), upstream);
    await relay.start();
    relays.push(relay);
    upstream = ['--server', relay.url, '--token', token, '--certificate-authority', relay.authority];
  }
  return new RelayedServer(server, relays, await startTcpProxy(relays.at(-1)?.port ?? 0), folder);
}
