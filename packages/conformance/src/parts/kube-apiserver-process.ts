/** A real kube-apiserver as a child process, with an etcd of its own. Start at {@link startKubeApiserver}. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EtcdProcess, startEtcd } from './etcd-process.ts';
import { freePorts } from './free-port.ts';
import { requireRealPart } from './real-part.ts';
import { newSigningKey, TestAuthority } from './test-authority.ts';

/** A running server. */
export interface KubeApiserverProcess extends AsyncDisposable {
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  /** Of a user in `system:masters`. */
  readonly token: string;
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
  /** The path of a kubeconfig for that user. */
  readonly kubeconfig: string;
  readonly pid: number;
  /** Kills it; `restart` starts it again. */
  kill(): Promise<void>;
  /** The etcd that it stores its objects in, below `/registry`. */
  readonly etcdEndpoint: string;
  /** Kills it and starts it again on the same storage and port; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const TOKEN = 'listwatch-real';
const OLD_REVISION = 10;
const READY_TIMEOUT_MS = 120_000;
const LOG_TAIL_BYTES = 8000;

/** How to start it. */
export interface KubeApiserverStartOptions {
  /** Admission plugins to switch off, besides `ServiceAccount`. */
  readonly withoutPlugins?: readonly string[] | undefined;
  /** The addresses of Services. Default: `10.0.0.0/24`. */
  readonly serviceRange?: string | undefined;
  /** Lines of its token file, besides the one of {@link KubeApiserverProcess.token}: `token,user,uid,"group,group"`. */
  readonly tokens?: readonly string[] | undefined;
  /** More flags, as they are written on its command line. Those about authorization replace `--authorization-mode=RBAC`. */
  readonly flags?: readonly string[] | undefined;
}

/** Starts it on loopback, and waits until it is ready. No controllers run: nothing deletes a namespace that is terminating. */
export async function startKubeApiserver(options: KubeApiserverStartOptions = {}): Promise<KubeApiserverProcess> {
  const binary = requireRealPart('kube-apiserver');
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-kube-apiserver-'));
  const etcd = await startEtcd();
  try {
    await age(etcd);
    const [port = 0] = await freePorts(1);
    const server = new Server({
      folder,
      etcd,
      port,
      withoutPlugins: options.withoutPlugins ?? [],
      serviceRange: options.serviceRange ?? '10.0.0.0/24',
      tokens: options.tokens ?? [],
      flags: options.flags ?? [],
    });
    await server.start(binary);
    return server;
  } catch (error) {
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A server that is as new as its storage has forgotten nothing, and answers no version with 410. */
async function age({ endpoint }: EtcdProcess): Promise<void> {
  const ask = async (call: string, body: object): Promise<void> => {
    const answer = await fetch(`${endpoint}/v3/kv/${call}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd's ${call} was answered with ${answer.status}: ${await answer.text()}`);
  };
  for (let revision = 2; revision <= OLD_REVISION; revision += 1) {
    await ask('put', { key: btoa('listwatch/age'), value: btoa(String(revision)) });
  }
  await ask('compaction', { revision: String(OLD_REVISION) });
}

interface ServerPlan {
  readonly folder: string;
  readonly etcd: EtcdProcess;
  readonly port: number;
  readonly withoutPlugins: readonly string[];
  readonly serviceRange: string;
  readonly tokens: readonly string[];
  readonly flags: readonly string[];
}

class Server implements KubeApiserverProcess {
  readonly url: string;
  readonly token = TOKEN;
  readonly ca: string;
  readonly kubeconfig: string;
  readonly #plan: ServerPlan;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(plan: ServerPlan) {
    this.#plan = plan;
    this.url = `https://127.0.0.1:${plan.port}`;
    using authority = new TestAuthority();
    this.ca = authority.ca;
    const { cert, key } = authority.server();
    this.#write('tls.crt', cert);
    this.#write('tls.key', key);
    this.#write('tokens.csv', [`${TOKEN},admin,admin,system:masters`, ...plan.tokens, ''].join('\n'));
    // Kubernetes signs the tokens of ServiceAccounts with RSA or EC keys of its own.
    this.#write('sa.key', newSigningKey());
    this.kubeconfig = this.#write('kubeconfig', kubeconfigOf(this));
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get etcdEndpoint(): string {
    return this.#plan.etcd.endpoint;
  }

  async start(binary: string): Promise<void> {
    const child = spawn(binary, this.#flags(), { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    child.stderr.on('data', (data: Buffer) => {
      this.#log = (this.#log + data.toString()).slice(-LOG_TAIL_BYTES);
    });
    child.once('error', (error) => {
      this.#log += String(error);
    });
    child.once('close', () => {
      this.#child = undefined;
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!(await this.#isReady())) {
      if (this.#child === undefined) throw new Error(`kube-apiserver ended before it was ready: ${this.#log}`);
      if (performance.now() > deadline) throw new Error(`kube-apiserver is not ready: ${this.#log}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start(requireRealPart('kube-apiserver'));
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.#plan.etcd.stop();
    rmSync(this.#plan.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const closed = once(child, 'close');
    // Its polite end waits a minute for requests that are under way, and a watch always is.
    child.kill('SIGKILL');
    await closed;
  }

  #flags(): readonly string[] {
    const { folder, etcd, port, withoutPlugins, serviceRange, flags } = this.#plan;
    return [
      `--etcd-servers=${etcd.endpoint}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${join(folder, 'tls.crt')}`,
      `--tls-private-key-file=${join(folder, 'tls.key')}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      ...(flags.some((flag) => flag.startsWith('--authorization-')) ? [] : ['--authorization-mode=RBAC']),
      `--service-cluster-ip-range=${serviceRange}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${join(folder, 'sa.key')}`,
      `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
      // Its controller makes the accounts that it asks for.
      `--disable-admission-plugins=${['ServiceAccount', ...withoutPlugins].join(',')}`,
      ...flags,
    ];
  }

  #write(name: string, text: string): string {
    const path = join(this.#plan.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const asked = request(`${this.url}/readyz`, { ca: this.ca, headers, timeout: 2000 }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      asked.once('error', () => resolve(false));
      asked.once('timeout', () => asked.destroy());
      asked.end();
    });
  }
}

function kubeconfigOf({ url, token, ca }: Pick<KubeApiserverProcess, 'ca' | 'token' | 'url'>): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server: url, 'certificate-authority-data': btoa(ca) } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    'current-context': 'real',
  });
}
