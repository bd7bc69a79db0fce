/** `listwatch relay` as it was built last, as a process that can be killed and started again. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Target } from '../server/target.ts';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));

export interface RelayPlan {
  /** For its certificates, and for what it keeps. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** Of the clients. */
  readonly token: string;
  readonly kinds: string;
  /** More flags, as they are written on its command line. */
  readonly flags?: readonly string[] | undefined;
  /** Write a CPU profile there when it ends. */
  readonly profiles?: string | undefined;
}

/** When it said what, in milliseconds from the start of its process. */
export interface RelayStart {
  /** Its port is open. */
  readonly listensMs: number;
  /** Its kinds are loaded. */
  readonly readyMs: number;
}

/** A relay. Keeps its port when it is started again. */
export class ServedRelay implements AsyncDisposable {
  readonly #plan: RelayPlan;
  #child: ChildProcess | undefined;
  #url = '';
  #health = '';

  constructor(plan: RelayPlan) {
    this.#plan = plan;
    mkdirSync(plan.folder, { recursive: true });
  }

  get target(): Target {
    return { name: 'relay', url: this.#url, token: this.#plan.token, pid: this.#child?.pid ?? 0 };
  }

  /** Resolves when its kinds are loaded. */
  async start(): Promise<RelayStart> {
    const { folder, kubeconfig, kinds, flags = [], profiles } = this.#plan;
    const port = this.#url === '' ? '0' : new URL(this.#url).port;
    const health = this.#health === '' ? '127.0.0.1:0' : new URL(this.#health).host;
    const profile = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const all = ['relay', '--kubeconfig', kubeconfig, '--kinds', kinds, '--port', port, '--health-address', health];
    const started = performance.now();
    const child = spawn(process.execPath, [...profile, BIN, ...all, '--data', join(folder, 'relay'), ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    // So that a run that is interrupted leaves no relay behind.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    const lines = createInterface({ input: child.stdout });
    let listensMs = 0;
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        const url = /relay on (https:\S+)/u.exec(line)?.[1];
        if (url !== undefined) {
          this.#url = url;
          listensMs = performance.now() - started;
        }
        this.#health = /health and metrics on ([^\s"]+)/u.exec(line)?.[1] ?? this.#health;
        if (line.includes('kinds are answered from the cache')) resolve();
      });
      child.once('close', (code) => reject(new Error(`the relay ended with ${code} before it was ready`)));
    });
    return { listensMs, readyMs: performance.now() - started };
  }

  /** For a relay in front of this one. */
  writeKubeconfig(): string {
    const { folder, token } = this.#plan;
    const path = join(folder, 'below.kubeconfig');
    const authority = readFileSync(join(folder, 'relay', 'pki', 'ca.crt')).toString('base64');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'relay', cluster: { server: this.#url, 'certificate-authority-data': authority } }],
      users: [{ name: 'relay', user: { token } }],
      contexts: [{ name: 'relay', context: { cluster: 'relay', user: 'relay' } }],
      'current-context': 'relay',
    };
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  /** A sample of its metrics; the sum of all labels that match. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#health}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end('SIGTERM');
  }
}
