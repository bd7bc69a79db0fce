/**
 * How long one request holds the event loop: `stalls.ts [--rounds N] [--over MS] [--fresh] [--fields] [part of a name ...]`. Each of the heaviest
 * requests goes to a server in this process; a loop of immediates sees the longest time that nothing else could run. The least of
 * several rounds counts: other work on the machine makes single rounds longer. Beside it stands what `JSON.parse`
 * alone takes for the same body. With `--fields` the requests are made from the schemas: every long list and map of every kind, for an
 * hour; each is measured once, and again if it takes more than half of the goal. With `--fresh` each round has a process of its own, whose code is not compiled yet.
 */

import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { threadTime, watchLoop } from '../loop-watch.ts';
import { report } from '../storage/measure.ts';
import { heavyCustomRequests } from './heavy-custom-requests.ts';
import { heavyReads } from './heavy-reads.ts';
import { type HeavyRequest, heavyRequests } from './heavy-requests.ts';
import { hostileDefinitions } from './hostile-definitions.ts';
import { longFieldRequests } from './long-field-requests.ts';

/** The object that a request is about was refused. */
class NotCreated extends Error {
  override readonly name = 'NotCreated';
}

const GOAL_MS = 25;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    over: { type: 'string', default: '0' },
    fresh: { type: 'boolean', default: false },
    fields: { type: 'boolean', default: false },
    /** The whole name of one request: how a process is told what to measure. */
    exactly: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const caller = { name: 'bench', groups: ['system:masters'] };
const all = values.fields
  ? await longFieldRequests()
  : [...heavyRequests(), ...heavyReads(), ...heavyCustomRequests(), ...hostileDefinitions()];
const wanted = all.filter(({ name }) =>
  values.exactly === undefined
    ? positionals.length === 0 || positionals.some((part) => name.includes(part))
    : name === values.exactly,
);
const worst = { bench: 'stall-worst', name: '', value: 0, unit: 'ms', goal: { atMost: GOAL_MS } };
for (const request of wanted) {
  const result = values.fields ? await screened(request) : await measured(request);
  if (result === undefined) continue;
  if (result.value >= Number(values.over)) report(result);
  if (result.value > worst.value) Object.assign(worst, { name: request.name, value: result.value });
}
if (values.exactly === undefined) report(worst);

type Measured = { readonly value: number } & Record<string, unknown>;

/** Undefined for a change of an object that cannot be created: its items are not as good as they look. */
async function screened(request: HeavyRequest): Promise<Measured | undefined> {
  try {
    const first = await measure(request, 1);
    return first.value > GOAL_MS / 2 ? await measured(request) : first;
  } catch (error) {
    if (error instanceof NotCreated) return undefined;
    throw error;
  }
}

async function measured(request: HeavyRequest): Promise<Measured> {
  return values.fresh ? measureFresh(request) : measure(request, rounds);
}

/** The round with the shortest stall, each in a process of its own. */
function measureFresh({ name }: HeavyRequest): Measured {
  const script = process.argv[1] ?? '';
  const results = Array.from({ length: rounds }, (): Measured => {
    const { stdout } = spawnSync(
      process.execPath,
      [...process.execArgv, script, '--rounds', '1', ...(values.fields ? ['--fields'] : []), '--exactly', name],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    return JSON.parse(stdout);
  });
  return results.reduce((least, result) => (result.value < least.value ? result : least));
}

async function measure(request: HeavyRequest, times: number): Promise<Measured> {
  const stalls: number[] = [];
  const parses: number[] = [];
  const heaps: number[] = [];
  let [status, kilobytes] = [0, 0];
  for (let round = 0; round < times; round++) {
    const server = createApiServer({ engine: createMemoryEngine() });
    await server.start();
    if (request.definition !== undefined) await define(request.definition, request.collection ?? request.path);
    if (request.before !== undefined) {
      const [path, body] = request.before;
      const answer = await send({ method: 'POST', path, type: 'application/json', body });
      if (answer >= 300) throw new NotCreated(`${request.name}: ${path} answers ${answer}`);
    }
    const { body: text } = request;
    kilobytes = Math.round(text.length / 1024);
    const start = threadTime();
    if (request.type !== 'application/yaml' && text !== '') JSON.parse(text);
    const end = threadTime();
    parses.push(Math.min(end.clock - start.clock, end.cpu - start.cpu));
    const before = process.memoryUsage().heapUsed;
    const watch = watchLoop();
    status = await send({ ...request, body: text });
    stalls.push(watch.stop());
    heaps.push(process.memoryUsage().heapUsed - before);
    await server.close();

    /** Until its collection is found. */
    async function define(definition: string, path: string): Promise<void> {
      const type = 'application/json';
      const answer = await send({ method: 'POST', path: DEFINITIONS, type, body: definition });
      if (answer >= 300) throw new Error(`${request.name}: the definition answers ${answer}`);
      const collection = path.replace(/\/a\?.*/u, '');
      while ((await send({ method: 'GET', path: collection, type, body: '' })) !== 200) await setTimeout(10);
    }

    async function send({ method, path, type, body, accept = '*/*' }: Omit<HeavyRequest, 'name'>): Promise<number> {
      const headers = { 'content-type': type, accept };
      const response = await server.handle({ method, path, headers, body: Buffer.from(body) }, { user: caller });
      for await (const _ of response.body) void _;
      return response.status;
    }
  }
  return {
    bench: 'stall',
    name: request.name,
    value: rounded(Math.min(...stalls)),
    unit: 'ms',
    parseMs: rounded(Math.min(...parses)),
    status,
    kilobytes,
    heapMb: Math.round(Math.max(...heaps) / 1e6),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
