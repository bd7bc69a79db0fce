import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, connect } from '@listwatch/client';
import { needs, startEtcd } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { FakeKubelet } from './fake-kubelet.fixture.ts';
import { KubePrograms, NO_TOKEN_TRACKING, PROTOBUF, RESTART_ERRORS } from './kube-programs.fixture.ts';
import { cachedRequests, type RelayedServer, startRelay, TOKENS } from './relay/relayed-server.fixture.ts';
import { type Ended, ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';
import {
  createWorkloads,
  deleteWorkloads,
  expectCronJobRun,
  expectQuota,
  expectScheduled,
  expectWorkloads,
  rollOutAndBack,
  scaleUp,
} from './workload-story.fixture.ts';

const newFolder = temporaryFolders();
/** `npm run test:kubernetes` sets it; without it nothing runs. */
const MINUTES = Number(process.env['KUBERNETES_MINUTES'] ?? 0);
/** The last round may begin just before the end. */
const LIMIT_MS = MINUTES * 60_000 + 600_000;
const PROGRAMS = { ...needs('kube-controller-manager'), ...needs('kube-scheduler') };
const SIGNALS: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGKILL'];
/** What no server of ours may make Kubernetes' programs say. */
const NEVER = /panic|unmarshal|decode|no kind|Internal ?error|unexpected object|the server could not find/iu;

/** Our server, which is killed and started again on its port and data; with a relay before it each of them in turn. */
class RestartedServer implements AsyncDisposable {
  readonly #folder = newFolder();
  readonly #storage: readonly string[];
  readonly #isRelayed: boolean;
  #process: ListwatchProcess;
  #url = '';
  #own = '';
  #relay: RelayedServer | undefined;
  #port = '0';
  #faults = 0;
  /** Of the programs. */
  kubeconfig = '';
  readonly ends: Ended[] = [];

  constructor(storage: readonly string[], isRelayed: boolean) {
    this.#storage = storage;
    this.#isRelayed = isRelayed;
    writeFileSync(join(this.#folder, 'tokens.csv'), TOKENS, { mode: 0o600 });
    this.#process = this.#start();
  }

  /** Reads that the present relay has answered. */
  async cached(): Promise<number> {
    if (this.#relay === undefined) return 0;
    return [...(await cachedRequests(this.#relay.health)).values()].reduce((sum, count) => sum + count, 0);
  }

  get faults(): number {
    return this.#faults;
  }

  async ready(): Promise<void> {
    const { url, kubeconfig } = await this.#process.ready();
    this.#port = new URL(url).port;
    [this.#url, this.#own] = [url, kubeconfig];
    if (this.#isRelayed && this.#relay === undefined) await this.#startRelay('0');
    this.kubeconfig = this.#relay?.kubeconfig ?? kubeconfig;
  }

  async restart(): Promise<void> {
    const signal = SIGNALS[this.#faults % SIGNALS.length] ?? 'SIGKILL';
    this.#faults += 1;
    if (this.#relay !== undefined && this.#faults % 2 === 0) {
      const { process, port } = this.#relay;
      process.kill(signal);
      await process.ended;
      return this.#startRelay(port);
    }
    this.#process.kill(signal);
    this.ends.push(await this.#process.ended);
    this.#process = this.#start();
    await this.ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#relay?.process[Symbol.asyncDispose]();
    await this.#process[Symbol.asyncDispose]();
  }

  async #startRelay(port: string): Promise<void> {
    this.#relay = await startRelay({ folder: this.#folder, url: this.#url, kubeconfig: this.#own, port });
  }

  #start(): ListwatchProcess {
    const flags = ['--controllers=kubernetes-service-controller', '--token-auth-file', 'tokens.csv'];
    return new ListwatchProcess(['serve', ...flags, '--port', this.#port, ...this.#storage], this.#folder);
  }
}

/** Where the story takes place. */
interface Stage {
  readonly server: RestartedServer;
  readonly cluster: Cluster;
  readonly kubelet: FakeKubelet;
}

/** Rounds of the whole story until the time is over, with a fault in the middle of every step; how many there were. */
async function tellStories({ server, cluster, kubelet }: Stage, contentType: string, minutes: number): Promise<number> {
  await using programs = new KubePrograms(server.kubeconfig, contentType);
  const watching = setInterval(() => programs.restartEnded(), 1000);
  const restart = (): Promise<void> => server.restart();
  const end = Date.now() + minutes * 60_000;
  let rounds = 0;
  try {
    for (; rounds === 0 || Date.now() < end; rounds += 1) {
      kubelet.started.clear();
      const place = { cluster, namespace: `workloads-${server.faults}` };
      await createWorkloads(place);
      await restart();
      await expectWorkloads(place, kubelet, true);
      await expectScheduled(place);
      await expectQuota(place);
      await expectCronJobRun(place);
      await rollOutAndBack(place, restart);
      await scaleUp(place);
      await deleteWorkloads(place, restart);
    }
  } finally {
    clearInterval(watching);
    const counts = { rounds, faults: server.faults, cached: await server.cached().catch(String) };
    const summary = { contentType, ...counts, ...summaryOf(programs) };
    process.stdout.write(`${JSON.stringify(summary, undefined, 1)}\n`);
  }
  expect(programs.unexpectedErrors().filter((line) => NEVER.test(line))).toEqual([]);
  return rounds;
}

/** How often each error was logged, without those of a server that is away and the words that differ from one to the next. */
function summaryOf(programs: KubePrograms): object {
  const counts = new Map<string, number>();
  for (const line of programs.unexpectedErrors(NO_TOKEN_TRACKING, ...RESTART_ERRORS)) {
    const text = line
      .replace(/^.*?\] /u, '')
      .replaceAll(/"[^"]*\/[^"]*"|\d+|[0-9a-f-]{36}/gu, '*')
      .slice(0, 160);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const staleReads = programs.log.split('is not as new as written version').length - 1;
  const errors = Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
  return { programRestarts: programs.restarts, staleReads, errors };
}

async function tellAll(storage: readonly string[], isRelayed = false): Promise<void> {
  await using server = new RestartedServer(storage, isRelayed);
  await server.ready();
  await using cluster = await connect({ kubeconfig: server.kubeconfig });
  await using kubelet = await FakeKubelet.start(cluster);
  for (const contentType of [PROTOBUF, 'application/json']) {
    expect(await tellStories({ server, cluster, kubelet }, contentType, MINUTES / 2)).toBeGreaterThan(0);
  }
  expect(server.ends.map(({ code, signal }) => signal ?? code).filter((end) => end !== 'SIGKILL' && end !== 0)).toEqual(
    [],
  );
}

describe.runIf(MINUTES > 0)(
  'for many minutes, with SIGKILL and SIGTERM of the server in the middle of every step',
  () => {
    it(
      'kube-controller-manager and kube-scheduler keep workloads running on lmdb',
      { ...PROGRAMS, timeout: LIMIT_MS },
      () => tellAll(['--storage', 'lmdb']),
    );

    it('and through a relay, which is killed in turn with the server', { ...PROGRAMS, timeout: LIMIT_MS }, () =>
      tellAll(['--storage', 'lmdb'], true),
    );

    it('and on etcd', { ...PROGRAMS, ...needs('etcd'), timeout: LIMIT_MS }, async () => {
      const etcd = await startEtcd();
      try {
        await tellAll(['--storage', 'etcd', '--etcd-servers', etcd.endpoint]);
      } finally {
        await etcd.stop();
      }
    });
  },
);
