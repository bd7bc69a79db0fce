/** A run of the fuzzer: known attacks first, then requests of every sort. */

import fc from 'fast-check';
import { ApiClient } from '../server/api-client.ts';
import { SeededRandom } from '../server/seeded-random.ts';
import { configMap } from '../server/server-test.ts';
import { attacks } from './attacks.ts';
import type { ShapedKind } from './body-shape.ts';
import { FuzzClient } from './fuzz-client.ts';
import { DEFINITIONS, FUZZ_DEFINITIONS } from './fuzz-definitions.ts';
import { type FuzzRequest, fuzzRequests, requestText } from './fuzz-request.ts';
import { complaintAbout, isForeseen } from './fuzz-verdict.ts';
import type { FuzzedServer, FuzzedServerReport } from './fuzzed-server.ts';
import { http2Frames, sendFrames } from './http2-frames.ts';
import { collectionOf, shapedRequest } from './shaped-request.ts';

export interface FuzzRunOptions {
  readonly requests: number;
  readonly seed: number;
  readonly kinds: readonly ShapedKind[];
  readonly onProgress?: ((progress: FuzzProgress) => void) | undefined;
}

export interface FuzzProgress {
  readonly sent: number;
  readonly rssBytes: number;
  readonly worstStallMs: number;
}

/** The longest stall of one attack. */
export interface AttackStall {
  readonly name: string;
  readonly status: number;
  readonly stallMs: number;
}

export interface FuzzResult {
  readonly sent: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly complaints: readonly string[];
  /** The attacks, the longest stall first. */
  readonly attackStalls: readonly AttackStall[];
  /** Under many requests at once, so that each waits for others too. */
  readonly worstStallMs: number;
  readonly firstRssBytes: number;
  readonly peakRssBytes: number;
}

const CONCURRENCY = 48;
const BATCH = 1000;
/** Objects with generated names would fill the server; they are deleted after this many requests. */
const TIDY_EVERY = 20_000;
/** Of a hundred requests: raw connections, and bodies made from shapes. The rest is drawn from the grammar. */
const RAW_PERCENT = 2;
const SHAPED_PERCENT = 58;
/** More complaints than one can read. */
const MAX_COMPLAINTS = 50;

/** Sends everything. Never rejects because of an answer: what is wrong is in `complaints`. */
export async function runFuzz(server: FuzzedServer, options: FuzzRunOptions): Promise<FuzzResult> {
  const run = new FuzzRun(server, options);
  await run.prepare();
  await run.attack();
  await run.flood();
  return run.finish();
}

class FuzzRun {
  readonly #server: FuzzedServer;
  readonly #options: FuzzRunOptions;
  readonly #client: FuzzClient;
  readonly #statuses = new Map<number, number>();
  readonly #complaints = new Set<string>();
  readonly #stalls: AttackStall[] = [];
  #worstStallMs = 0;
  #firstRssBytes = 0;
  #peakRssBytes = 0;
  #sent = 0;

  constructor(server: FuzzedServer, options: FuzzRunOptions) {
    this.#server = server;
    this.#options = options;
    this.#client = new FuzzClient(server);
  }

  /** Two namespaces, the custom kinds, and a store that has come far enough for the small versions of the grammar to be past ones. */
  async prepare(): Promise<void> {
    const api = new ApiClient(this.#server);
    for (const name of ['fuzz-0', 'fuzz-1']) {
      await api.request('POST', '/api/v1/namespaces', {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      });
    }
    for (const body of FUZZ_DEFINITIONS) await api.request('POST', DEFINITIONS, { body });
    for (let round = 0; round < 60; round += 1) {
      const [method, path] = round === 0 ? ['POST', ''] : ['PUT', '/a'];
      const body = configMap('a', { data: { round: String(round) } });
      await api.request(method, `/api/v1/namespaces/fuzz-0/configmaps${path}`, { body });
    }
    api.close();
    this.#firstRssBytes = (await this.#server.report()).rssBytes;
  }

  /** One at a time, so that each has its own stall. */
  async attack(): Promise<void> {
    for (const { name, request } of attacks(this.#server.token)) {
      if (this.#server.exit !== undefined) return;
      await this.#measure();
      const status = await this.#try(request, name);
      this.#stalls.push({ name, status, stallMs: await this.#measure() });
      this.#sent++;
    }
  }

  async flood(): Promise<void> {
    const { requests, seed, onProgress } = this.#options;
    const grammar = fuzzRequests(this.#server.token);
    for (let batch = 0; this.#sent < requests && this.#complaints.size < MAX_COMPLAINTS; batch++) {
      if (this.#server.exit !== undefined) return;
      const size = Math.min(BATCH, requests - this.#sent);
      const random = new SeededRandom(seed + batch);
      const raw = Math.ceil((size * RAW_PERCENT) / 100);
      const shaped = Math.floor((size * SHAPED_PERCENT) / 100);
      const drawn = fc.sample(grammar, { numRuns: Math.max(1, size - raw - shaped), seed: seed + batch });
      const tasks = [
        ...Array.from({ length: raw }, () => http2Frames(random)).map((bytes) => () => sendFrames(this.#server, bytes)),
        ...Array.from({ length: shaped }, () => shapedRequest(random, this.#options.kinds, this.#server.token))
          .concat(drawn)
          .map((request) => async () => void (await this.#try(request))),
      ];
      await inParallel(tasks);
      this.#sent += size;
      this.#worstStallMs = Math.max(this.#worstStallMs, await this.#measure());
      if (Math.floor(this.#sent / TIDY_EVERY) !== Math.floor((this.#sent - size) / TIDY_EVERY)) await this.#tidy();
      onProgress?.({ sent: this.#sent, rssBytes: this.#peakRssBytes, worstStallMs: this.#worstStallMs });
    }
  }

  async finish(): Promise<FuzzResult> {
    this.#client.close();
    const report = await this.#report();
    if (report === undefined) this.#complaints.add(`the server's process ended: ${this.#server.exit ?? 'no report'}`);
    for (const failure of report?.unexpected ?? []) if (!isForeseen(failure)) this.#complaints.add(failure);
    return {
      sent: this.#sent,
      statuses: this.#statuses,
      complaints: [...this.#complaints],
      attackStalls: this.#stalls.toSorted((a, b) => b.stallMs - a.stallMs),
      worstStallMs: this.#worstStallMs,
      firstRssBytes: this.#firstRssBytes,
      peakRssBytes: this.#peakRssBytes,
    };
  }

  async #try(request: FuzzRequest, name?: string): Promise<number> {
    const text = name ?? requestText(request);
    try {
      const outcome = await this.#client.send(request);
      this.#statuses.set(outcome.status, (this.#statuses.get(outcome.status) ?? 0) + 1);
      const complaint = complaintAbout(request, outcome);
      if (complaint !== undefined) this.#complain(`${complaint}\n    ${text}`);
      return outcome.status;
    } catch (error) {
      this.#complain(`no answer: ${String(error)}\n    ${text}`);
      return 0;
    }
  }

  #complain(complaint: string): void {
    if (this.#complaints.size < MAX_COMPLAINTS) this.#complaints.add(complaint);
  }

  async #measure(): Promise<number> {
    const report = await this.#report();
    if (report === undefined) return 0;
    const { worstStallMs, rssBytes } = report;
    this.#peakRssBytes = Math.max(this.#peakRssBytes, rssBytes);
    return worstStallMs;
  }

  /** Undefined: the process has ended, which `finish` tells. */
  async #report(): Promise<FuzzedServerReport | undefined> {
    return this.#server.exit === undefined ? this.#server.report().catch(() => undefined) : undefined;
  }

  async #tidy(): Promise<void> {
    const api = new ApiClient(this.#server);
    for (const kind of this.#options.kinds) {
      if (kind.namespaced) await api.request('DELETE', collectionOf(kind));
    }
    api.close();
  }
}

async function inParallel(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = tasks.values();
  const worker = async (): Promise<void> => {
    for (const task of queue) await task();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
