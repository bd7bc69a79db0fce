/** `npm run interop [client...]`: runs the scenario with every client that this machine can build, and writes docs/interop.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ClientProgram, type ProgramCommand } from './client-program.ts';
import { CLIENTS, type InteropClient } from './clients.ts';
import { NAMESPACE } from './collection.ts';
import { startComparedServer } from './compared-server.ts';
import { interopPage } from './interop-page.ts';
import { startInteropServer } from './interop-server.ts';
import { startRelayedServer } from './relayed-server.ts';
import type { Against, ClientRun, InteropResults } from './result.ts';
import { FULL, runScenario, SHORT } from './scenario.ts';
import type { ScenarioServer } from './scenario-server.ts';
import { MissingTool } from './toolchains.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RESULTS = `${root}interop/results.json`;
const PAGE = `${root}docs/interop.md`;
const ENGINES: readonly Against[] = ['lmdb', 'etcd'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    short: { type: 'boolean' },
    list: { type: 'boolean' },
    page: { type: 'boolean' },
  },
});

function chosen(): readonly InteropClient[] {
  const unknown = positionals.find((name) => !CLIENTS.some((client) => client.name === name));
  if (unknown !== undefined) throw new TypeError(`no client ${unknown}; --list shows all`);
  return positionals.length === 0 ? CLIENTS : CLIENTS.filter(({ name }) => positionals.includes(name));
}

function startServer(engine: Against): Promise<ScenarioServer> {
  if (engine === 'kube-apiserver') return startComparedServer();
  if (engine === 'relay') return startRelayedServer(1);
  return engine === 'two relays' ? startRelayedServer(2) : startInteropServer(engine);
}

async function runClient(
  { name, resumes }: InteropClient,
  program: ProgramCommand,
  engine: Against,
): Promise<ClientRun> {
  const started = Date.now();
  const plan = values.short === true ? SHORT : FULL;
  await using server = await startServer(engine);
  await using process = new ClientProgram(program, { ...server.environment, INTEROP_NAMESPACE: NAMESPACE });
  const [examinee] = await runScenario(server, [{ program: process }], { ...plan, resumes });
  if (examinee === undefined) throw new Error('the scenario returns one examinee for each program');
  const { version, views, findings, relists } = examinee;
  const failed = findings.filter(({ outcome }) => outcome === 'failed');
  for (const { step, part, text } of failed) console.log(`  FAIL ${step} ${part}: ${text}`);
  if (failed.length > 0) console.log(process.log.slice(-3000));
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${failed.length === 0 ? 'ok  ' : 'FAIL'} ${name} ${version} on ${engine} (${seconds} s)`);
  const date = new Date().toISOString().slice(0, 10);
  return { client: name, version, engine, date, form: plan === FULL ? 'full' : 'short', views, findings, relists };
}

function readResults(): InteropResults {
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8'));
  } catch {
    return { runs: [], notRun: [] };
  }
}

/** Replaces what is known of these clients; the others keep their last run. */
function writeResults(fresh: InteropResults): void {
  const { runs, notRun } = readResults();
  const missing = new Set(fresh.notRun.map(({ client }) => client));
  const again = new Set(fresh.runs.map(({ client, engine }) => `${client} ${engine}`));
  const known = new Set(CLIENTS.map(({ name }) => name));
  const results: InteropResults = {
    runs: [
      ...runs.filter(
        ({ client, engine }) => known.has(client) && !missing.has(client) && !again.has(`${client} ${engine}`),
      ),
      ...fresh.runs,
    ].toSorted((a, b) => `${a.client} ${a.engine}`.localeCompare(`${b.client} ${b.engine}`)),
    notRun: [
      ...notRun.filter(
        ({ client }) => known.has(client) && !missing.has(client) && !fresh.runs.some((run) => run.client === client),
      ),
      ...fresh.notRun,
    ],
  };
  writeFileSync(RESULTS, resultsText(results));
  writeFileSync(PAGE, interopPage(CLIENTS, results));
}

/** One run a line, so that a run changes one line. */
function resultsText({ runs, notRun }: InteropResults): string {
  return `{"runs":[${linesOf(runs)}],\n"notRun":[${linesOf(notRun)}]}\n`;
}

function linesOf(rows: readonly unknown[]): string {
  return rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
}

function engineOf(name: string): Against {
  if (name === 'lmdb' || name === 'etcd' || name === 'kube-apiserver') return name;
  if (name === 'relay' || name === 'two relays') return name;
  throw new TypeError(`--engine is lmdb, etcd, relay, 'two relays' or kube-apiserver, not ${name}`);
}

async function main(): Promise<void> {
  if (values.list === true) {
    for (const { name, title } of CLIENTS) console.log(`${name.padEnd(26)} ${title}`);
    return;
  }
  if (values.page === true) {
    writeResults({ runs: [], notRun: [] });
    return;
  }
  const engines = values.engine === undefined ? ENGINES : [engineOf(values.engine)];
  for (const client of chosen()) {
    try {
      const program = client.prepare();
      for (const engine of engines) writeResults({ runs: [await runClient(client, program, engine)], notRun: [] });
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      console.log(`--   ${client.name} was not run: ${error.message}`);
      writeResults({ runs: [], notRun: [{ client: client.name, reason: error.message }] });
    }
  }
  const { runs } = readResults();
  if (runs.some(({ findings }) => findings.some(({ outcome }) => outcome === 'failed'))) process.exitCode = 1;
}

await main();
