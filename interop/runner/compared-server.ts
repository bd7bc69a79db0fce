/** A real kube-apiserver in the scenario, for the numbers beside ours. Start at {@link startComparedServer}. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type KubeApiserverProcess,
  startKubeApiserver,
  startTcpProxy,
  type TcpProxy,
} from '@listwatch/conformance/parts';
import { NAMESPACE } from './collection.ts';
import type { ScenarioServer } from './scenario-server.ts';
import type { FactSource } from './server-facts.ts';

/** Only lists and watches of the collection; a watch is written at its start and at its end. */
const AUDIT_POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - { level: Metadata, verbs: [list, watch], namespaces: [${NAMESPACE}], resources: [{ group: '', resources: [configmaps] }] }
  - { level: None }
`;

interface AuditEvent {
  readonly verb: string;
  readonly stage: string;
  readonly requestURI: string;
}

/** kube-apiserver with an etcd of its own. Its audit log counts what its metrics do not: its own informers are in them. */
class ComparedServer implements ScenarioServer {
  /** Its watch cache begins with its process, and answers what is older with 410. */
  readonly resumesAfterKill = false;
  readonly proxy: TcpProxy;
  readonly #process: KubeApiserverProcess;
  readonly #folder: string;
  #readsBefore = 0;

  constructor(process: KubeApiserverProcess, proxy: TcpProxy, folder: string) {
    this.#process = process;
    this.proxy = proxy;
    this.#folder = folder;
  }

  get directKubeconfig(): string {
    return this.#process.kubeconfig;
  }

  get facts(): FactSource {
    return { address: this.#process.url, token: this.#process.token };
  }

  get environment(): Readonly<Record<string, string>> {
    const address = `https://127.0.0.1:${this.proxy.port}`;
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const text = readFileSync(this.directKubeconfig, 'utf8').replace(this.#process.url, address);
    writeFileSync(kubeconfig, text, { mode: 0o600 });
    return { KUBECONFIG: kubeconfig, INTEROP_SERVER: address, INTEROP_TOKEN: this.#process.token };
  }

  async start(): Promise<void> {
    this.#readsBefore = this.#reads();
    await this.#process.restart();
  }

  startForgetful(): Promise<void> {
    return this.start();
  }

  /** With SIGKILL always: its polite end waits a minute for watches. */
  async stop(): Promise<void> {
    await this.#process.kill();
  }

  async countReads(): Promise<number> {
    return this.#reads() - this.#readsBefore;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.close();
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #reads(): number {
    const log = join(this.#folder, 'audit.log');
    if (!existsSync(log)) return 0;
    const lines = readFileSync(log, 'utf8').split('\n');
    // The last line may be half written.
    return lines.slice(0, -1).filter((line) => readsAll(JSON.parse(line))).length;
  }
}

function readsAll({ verb, stage, requestURI }: AuditEvent): boolean {
  if (verb === 'list') return stage === 'ResponseComplete';
  const { searchParams } = new URL(requestURI, 'https://server');
  return stage === 'ResponseStarted' && searchParams.get('sendInitialEvents') === 'true';
}

export async function startComparedServer(): Promise<ScenarioServer> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-interop-'));
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, AUDIT_POLICY);
  const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`];
  const process = await startKubeApiserver({ flags });
  return new ComparedServer(process, await startTcpProxy(Number(new URL(process.url).port)), folder);
}
