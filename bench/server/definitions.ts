/** 1 000 CustomResourceDefinitions with ten versions' schemas each, 80 KB of JSON, none of them used. */

import { type Connection } from './connection.ts';
import { withConnections } from './open-connection.ts';
import { cpuMicros, resident } from './process-facts.ts';
import { record } from './result.ts';
import type { Target } from './target.ts';

const DEFINITIONS = 1000;
const VERSIONS = 10;
const FIELDS = 40;
const WRITERS = 4;
const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GOAL_READY_MS = 3000;
const GOAL_MEGABYTES = 250;
const MEGABYTE = 1e6;
const LIMIT_MS = 600_000;
const PAUSE_MS = 100;

/** A server that keeps what it has while it does not run. */
export interface RestartingServer {
  readonly target: Target;
  /** Ends it and starts it again; resolves when it says that it is ready. */
  restart(): Promise<Target>;
}

/** Server CPU of one definition until it is served; then, after a restart, the time to ready and the memory. */
export async function benchDefinitions(server: RestartingServer): Promise<void> {
  const { target } = server;
  const before = cpuMicros(target.pid);
  const started = performance.now();
  await withConnections(target, 'h1', WRITERS, async (connections) => {
    let next = 0;
    const write = async (connection: Connection): Promise<void> => {
      while (next < DEFINITIONS) {
        const body = definition(next);
        next += 1;
        const { status, body: text } = await connection.ask({ method: 'POST', path: PATH, body, keep: true });
        if (status !== 201) throw new Error(`${status}: ${text.slice(0, 1000)}`);
      }
    };
    await Promise.all(connections.map(write));
  });
  await untilServed(target);
  const wallMs = (performance.now() - started) / DEFINITIONS;
  const cpu = (cpuMicros(target.pid) - before) / DEFINITIONS / 1000;
  record(target, { bench: 'definition create', value: cpu, unit: 'ms CPU', wallMs });
  const isOurs = target.name.startsWith('listwatch');
  const again = performance.now();
  const restarted = await server.restart();
  await untilServed(restarted);
  record(target, {
    bench: 'definitions ready',
    value: performance.now() - again,
    unit: 'ms',
    goal: isOurs ? { atMost: GOAL_READY_MS } : undefined,
    cpuMs: cpuMicros(restarted.pid) / 1000,
  });
  await untilIdle(restarted);
  const { now, peak, own } = resident(restarted.pid);
  record(target, {
    bench: 'definitions memory',
    // Without mapped files: kube-apiserver's database is mapped by etcd.
    value: own / MEGABYTE,
    unit: 'MB',
    goal: isOurs ? { atMost: GOAL_MEGABYTES } : undefined,
    residentMb: Math.round(now / MEGABYTE),
    peakMb: Math.round(peak / MEGABYTE),
  });
}

/** Waits until objects of every definition can be listed. */
async function untilServed(target: Target): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  await withConnections(target, 'h1', 1, async ([connection]) => {
    for (let i = DEFINITIONS - 1; i >= 0; i -= 1) {
      const path = `/apis/${groupOf(i)}/v1`;
      while ((await connection?.ask({ path }))?.status !== 200) {
        if (Date.now() > deadline) throw new Error(`${path} is not served by ${target.name}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  });
}

/** Waits until the server does next to nothing. */
async function untilIdle({ pid }: Target): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const before = cpuMicros(pid);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    if (cpuMicros(pid) - before < 200_000 || Date.now() > deadline) return;
  }
}

function groupOf(i: number): string {
  return `g${i}.bench.example.com`;
}

function definition(i: number): string {
  const properties = Object.fromEntries(Array.from({ length: FIELDS }, (_, n) => [`field${n}`, field(n)]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const group = groupOf(i);
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: Array.from({ length: VERSIONS }, (_, v) => ({
        name: `v${v + 1}`,
        served: true,
        storage: v === 0,
        schema,
      })),
    },
  });
}

function field(n: number): object {
  return {
    type: 'object',
    description: `A field of a custom resource that says something about it, field ${n}`,
    properties: { a: { type: 'string', maxLength: 64 }, b: { type: 'integer', minimum: 0 } },
  };
}
