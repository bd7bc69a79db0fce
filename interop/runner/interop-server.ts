/** `listwatch serve` behind a proxy that cuts connections. Start at {@link startInteropServer}. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EtcdProcess, packageFlags, startEtcd, startTcpProxy, type TcpProxy } from '@listwatch/conformance/parts';
import type { ScenarioServer } from './scenario-server.ts';
import { type FactSource, readMetric } from './server-facts.ts';

/** Where the server keeps its data. */
export type Engine = 'lmdb' | 'etcd';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));
const TOKEN = 'interop-token';
/** Most controllers of the server read all ConfigMaps or all kinds: their lists would be counted as those of the client. */
const WITHOUT_READERS = ['--controllers=kubernetes-service-controller'];

/** `listwatch serve` as a child process. */
export class InteropServer implements ScenarioServer {
  /** The history in its store answers them. */
  readonly resumesAfterKill = true;
  readonly #folder = mkdtempSync(join(tmpdir(), 'listwatch-interop-'));
  readonly #flags: readonly string[];
  readonly #etcd: EtcdProcess | undefined;
  #child: ChildProcess | undefined;
  #proxy: TcpProxy | undefined;
  #port = 0;

  constructor(etcd: EtcdProcess | undefined) {
    this.#etcd = etcd;
    const tokens = join(this.#folder, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},interop,1,system:masters\n`, { mode: 0o600 });
    const storage = etcd === undefined ? [] : ['--etcd-servers', etcd.endpoint];
    const data = join(this.#folder, 'data');
    this.#flags = ['--data', data, '--token-auth-file', tokens, '--log-format', 'json', ...WITHOUT_READERS, ...storage];
  }

  get directKubeconfig(): string {
    return join(this.#folder, 'data/kubeconfig');
  }

  get facts(): FactSource {
    return { address: `https://127.0.0.1:${this.#port}`, token: TOKEN };
  }

  get proxy(): TcpProxy {
    if (this.#proxy === undefined) throw new Error('the server was not started');
    return this.#proxy;
  }

  get environment(): Readonly<Record<string, string>> {
    const address = `https://127.0.0.1:${this.proxy.port}`;
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const text = readFileSync(this.directKubeconfig, 'utf8').replace(/server: \S+/u, `server: ${address}`);
    writeFileSync(kubeconfig, text, { mode: 0o600 });
    return { KUBECONFIG: kubeconfig, INTEROP_SERVER: address, INTEROP_TOKEN: TOKEN };
  }

  start(): Promise<void> {
    return this.#start();
  }

  startForgetful(): Promise<void> {
    return this.#start('--history', '1s');
  }

  async countReads(): Promise<number> {
    const labels = { group: '', resource: 'configmaps' };
    const lists = await readMetric(this.facts, 'apiserver_request_total', { ...labels, verb: 'LIST' });
    return lists + (await readMetric(this.facts, 'listwatch_watch_states_total', labels));
  }

  async #start(...more: readonly string[]): Promise<void> {
    const flags = [...this.#flags, '--port', String(this.#port), ...more];
    const child = spawn(process.execPath, [...packageFlags(), BIN, 'serve', ...flags]);
    this.#child = child;
    // So that a run that is interrupted leaves no server behind.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(-4000);
    });
    const lines = createInterface({ input: child.stdout });
    const url = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        if (line.includes('Ready at')) resolve(JSON.parse(line).url);
      });
      child.once('close', (code) => reject(new Error(`listwatch serve ended with ${code}: ${errors}`)));
    });
    this.#port = Number(new URL(url).port);
    this.#proxy ??= await startTcpProxy(this.#port);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.close();
    await this.stop('SIGKILL');
    await this.#etcd?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A server on this engine, ready; with an etcd of its own for `etcd`. */
export async function startInteropServer(engine: Engine): Promise<InteropServer> {
  const server = new InteropServer(engine === 'etcd' ? await startEtcd() : undefined);
  await server.start();
  return server;
}
