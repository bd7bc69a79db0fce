/** One `listwatch serve` or `listwatch relay` of a cluster as a real process, in as many lives as it takes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TcpProxy } from '../parts/tcp-proxy.ts';
import { openConnections } from './port-connections.ts';
import { ServerLog, type ServerLogLine } from './server-log.ts';

const READY_MS = 90_000;
const END_MS = 60_000;

export interface ServerPlan {
  /** What Node runs `listwatch` with. */
  readonly command: readonly string[];
  readonly flags: readonly string[];
  readonly port: number;
  /** Its ways to what it reads from: the members of etcd, or the server behind a relay. */
  readonly toUpstream: readonly TcpProxy[];
  /** What it writes when it serves. */
  readonly ready: string;
  /** How it ends when it is asked to. */
  readonly endCode: number;
  /** Where its metrics can be read without a login. */
  readonly metrics?: string | undefined;
  /** Told of every line that it writes. */
  readonly onLine?: ((line: ServerLogLine) => void) | undefined;
}

/** What is different about every `listwatch serve`. */
export interface ServePlan extends Pick<ServerPlan, 'command' | 'onLine' | 'port'> {
  readonly data: string;
  /** Without any it keeps its data in LMDB. */
  readonly toEtcd: readonly TcpProxy[];
  readonly tokens?: string | undefined;
}

export function servePlan({ command, onLine, port, data, toEtcd, tokens }: ServePlan): ServerPlan {
  const etcd = toEtcd.map(({ endpoint }) => endpoint).join(',');
  const storage = etcd === '' ? ['--storage', 'lmdb'] : ['--storage', 'etcd', '--etcd-servers', etcd];
  const login = tokens === undefined ? [] : ['--token-auth-file', tokens];
  const flags = ['serve', '--data', data, '--port', String(port), ...storage, ...login];
  return { command, flags, port, toUpstream: toEtcd, ready: 'Ready at', endCode: 0, onLine };
}

/** Its flags and its port stay the same over all its lives; its version may change. */
export class ServerProcess {
  readonly url: string;
  readonly toUpstream: readonly TcpProxy[];
  readonly log: ServerLog;
  readonly #plan: ServerPlan;
  #command: readonly string[];
  #child: ChildProcess | undefined;

  constructor(plan: ServerPlan) {
    this.#plan = plan;
    this.#command = plan.command;
    this.url = `https://127.0.0.1:${plan.port}`;
    this.toUpstream = plan.toUpstream;
    this.log = new ServerLog(plan.onLine);
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Connections of its clients; undefined where the system does not tell. */
  get clientConnections(): number | undefined {
    return openConnections(this.#plan.port);
  }

  /** What the next start runs. */
  use(command: readonly string[]): void {
    this.#command = command;
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const { flags } = this.#plan;
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('LISTWATCH_'));
    const child = spawn(process.execPath, [...this.#command, ...flags], { env: Object.fromEntries(kept) });
    this.#child = child;
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', (code, signal) => {
      process.off('exit', kill);
      this.log.end();
      // Whoever ends it on purpose takes it away first.
      if (this.#child === child) this.log.alarms.push(`it ended by itself with ${code ?? signal}: ${this.log.tail}`);
    });
    await this.#ready(child);
  }

  /** The text of its metrics. */
  async metrics(): Promise<string> {
    const { metrics } = this.#plan;
    if (metrics === undefined) throw new TypeError('this one has no port for its metrics');
    return (await fetch(metrics)).text();
  }

  signal(signal: 'SIGCONT' | 'SIGSTOP'): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to end. Anything but a good end in time is an alarm. */
  async terminate(): Promise<void> {
    const code = await this.#end('SIGTERM');
    if (code !== undefined && code !== this.#plan.endCode)
      this.log.alarms.push(`asked to end, it ended with ${code}: ${this.log.tail}`);
  }

  async #ready(child: ChildProcess): Promise<void> {
    const { ready } = this.#plan;
    await new Promise<void>((resolve, reject) => {
      const late = (): void => reject(new Error(`not ready after ${READY_MS} ms: ${this.log.tail}`));
      const timer = setTimeout(late, READY_MS);
      child.once('close', (code) => {
        clearTimeout(timer);
        reject(new Error(`it ended with ${code}: ${this.log.tail}`));
      });
      let output = '';
      child.stdout?.on('data', (data: Buffer) => {
        this.log.take(String(data));
        if (output.includes(ready)) return;
        output += String(data);
        if (!output.includes(ready)) return;
        clearTimeout(timer);
        resolve();
      });
      child.stderr?.on('data', (data: Buffer) => this.log.take(String(data)));
    });
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | undefined> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    this.#child = undefined;
    const closed = once(child, 'close');
    child.kill(signal);
    const impatience = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await closed;
    clearTimeout(impatience);
    return child.exitCode ?? child.signalCode ?? undefined;
  }
}
