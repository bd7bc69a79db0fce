/** The fuzzer: anything at all is sent to a server, which must answer as the API does and keep nothing. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventually } from '../storage/eventually.ts';
import { ApiClient } from './api-client.ts';
import { FuzzClient } from './fuzz-client.ts';
import { type FuzzRequest, fuzzRequests, requestText } from './fuzz-request.ts';
import { complaintAbout } from './fuzz-verdict.ts';
import type { ServerTarget } from './server-target.ts';
import { configMap } from './server-test.ts';

/** A server whose inside can be looked at. */
export interface FuzzedServer extends ServerTarget, AsyncDisposable {
  /** Failures that the server itself did not foresee. */
  readonly unforeseen: readonly string[];
  /** How many sockets the process of the server has open. */
  readonly openSockets: () => number;
}

export interface FuzzSuite {
  readonly name: string;
  readonly connect: () => Promise<FuzzedServer>;
  /** Default: `FUZZ_REQUESTS`, or 20 000. */
  readonly requests?: number | undefined;
  /** Default: `FUZZ_SEED`, or another one each time; a failure names it. */
  readonly seed?: number | undefined;
}

const CONCURRENCY = 48;
const BATCH = 1000;
/** As many complaints as one can read. */
const SHOWN = 10;

/** Declares the test for one server. */
export function describeFuzz(suite: FuzzSuite): void {
  const requests = suite.requests ?? Number(process.env['FUZZ_REQUESTS'] ?? 20_000);
  const seed = suite.seed ?? Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
  describe(`bad input: ${suite.name}`, () => {
    it(
      `${requests} requests of any kind are answered as the API answers, and nothing is left behind`,
      async () => {
        await using server = await suite.connect();
        await runFuzz(server, requests, seed);
      },
      60_000 + requests * 10,
    );
  });
}

async function runFuzz(server: FuzzedServer, requests: number, seed: number): Promise<void> {
  const sockets = server.openSockets();
  const api = new ApiClient(server);
  await createWorld(api);
  const client = new FuzzClient(server);
  const grammar = fuzzRequests(server.token);
  const complaints: string[] = [];
  const seen = new Map<number, number>();
  for (let sent = 0; sent < requests; sent += BATCH) {
    const batch = fc.sample(grammar, { numRuns: Math.min(BATCH, requests - sent), seed: seed + sent });
    await inParallel(batch, async (request) => {
      const complaint = await tryOnce(client, request, seen);
      if (complaint !== undefined) complaints.push(`${complaint}\n    ${requestText(request)}`);
    });
  }
  client.close();
  expect([...new Set(complaints)].slice(0, SHOWN), `seed ${seed}`).toEqual([]);
  expect(server.unforeseen.slice(0, SHOWN), `seed ${seed}`).toEqual([]);
  // A grammar that the server always refuses would prove nothing.
  for (const status of [101, 200, 201, 400, 401, 404, 405, 406, 409, 415, 422])
    expect([...seen.keys()]).toContain(status);
  await expectNothingLeft(api, seed);
  expect((await api.get('/healthz')).text).toBe('ok');
  api.close();
  await eventually('the sockets of the fuzzer to be closed', () => server.openSockets() <= sockets);
}

/** Two namespaces, and a store that has come far enough for the small versions of the grammar to be past ones. */
async function createWorld(api: ApiClient): Promise<void> {
  for (const name of ['fuzz-0', 'fuzz-1']) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    expect((await api.request('POST', '/api/v1/namespaces', { body })).status).toBe(201);
  }
  for (let round = 0; round < 60; round += 1) {
    const body = configMap('a', { data: { round: String(round) } });
    const [method, path] = round === 0 ? ['POST', ''] : ['PUT', '/a'];
    await api.request(method, `/api/v1/namespaces/fuzz-0/configmaps${path}`, { body });
  }
}

async function tryOnce(
  client: FuzzClient,
  request: FuzzRequest,
  seen: Map<number, number>,
): Promise<string | undefined> {
  try {
    const outcome = await client.send(request);
    seen.set(outcome.status, (seen.get(outcome.status) ?? 0) + 1);
    return complaintAbout(request, outcome);
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}

/** No watcher in the caches, no request that is still being answered. */
async function expectNothingLeft(api: ApiClient, seed: number): Promise<void> {
  let left: readonly string[] = [];
  const isEmpty = async (): Promise<boolean> => {
    left = await whatIsLeft(api);
    return left.length === 0;
  };
  await eventually('everything to be over', isEmpty).catch(() => undefined);
  expect(left, `seed ${seed}`).toEqual([]);
}

async function whatIsLeft(api: ApiClient): Promise<readonly string[]> {
  const { resources } = (await api.get('/debug/cache')).document;
  if (!Array.isArray(resources)) return ['/debug/cache shows no resources'];
  const watched = resources.flatMap(({ resource, watchers, channels }) =>
    watchers === 0 && channels === 0 ? [] : [`${watchers} watchers and ${channels} channels of ${resource}`],
  );
  const { text } = await api.get('/metrics');
  // The metrics are asked for in a request, which does not count itself.
  const gauges = [...text.matchAll(/^(apiserver_(?:current_inflight|longrunning)_requests\S*) (\d+)$/gmu)];
  if (gauges.length !== 3) return [...watched, `${gauges.length} gauges of requests instead of 3`];
  return [...watched, ...gauges.flatMap(([, name, value]) => (value === '0' ? [] : [`${name} ${value}`]))];
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
