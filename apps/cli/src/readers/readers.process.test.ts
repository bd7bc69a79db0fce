import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Answer, ask, ListwatchProcess, readCredentials } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const MAPS = '/api/v1/namespaces/default/configmaps';
const FLAGS = [
  'serve',
  '--readers',
  '2',
  '--port',
  '0',
  '--console',
  'off',
  '--controllers',
  '-*',
  '--log-format',
  'json',
];

interface AuditLine {
  readonly verb: string;
  readonly objectRef?: { readonly resource: string; readonly name?: string };
  readonly sourceIPs: readonly string[];
}

function soon(condition: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(condition, { timeout: 60_000, interval: 50 });
}

const ANSWER_MS = 10_000;

/** Undefined: there was no answer. */
async function inTime(asked: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_MS);
  });
  try {
    return await Promise.race([asked.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The processes that a process has started. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** Watches on a connection of its own, and resumes where it was whenever that ends. It never lists. */
class ResumingWatch {
  readonly names: string[] = [];
  readonly failures: string[] = [];
  resumes = -1;
  #after: string;
  readonly #kubeconfig: string;
  #isStopped = false;

  constructor(kubeconfig: string, after: string) {
    this.#kubeconfig = kubeconfig;
    this.#after = after;
    this.#open();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #open(): void {
    if (this.#isStopped) return;
    this.resumes += 1;
    const { server, ...credentials } = readCredentials(this.#kubeconfig);
    const agent = new Agent({ keepAlive: false });
    const url = new URL(`${MAPS}?watch=1&resourceVersion=${this.#after}`, server);
    const sent = request(url, { ...credentials, agent });
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      isOver = true;
      setTimeout(() => this.#open(), 50);
    };
    sent.on('error', again).on('close', again).end();
    // As real clients: a connection that was being handed to the reader as it died gets no answer.
    sent.setTimeout(ANSWER_MS, () => sent.destroy());
    sent.on('response', (answer) => {
      sent.setTimeout(0);
      if (answer.statusCode !== 200) this.failures.push(`status ${answer.statusCode}`);
      let text = '';
      answer.on('error', again).on('close', again);
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          const { type, object } = JSON.parse(text.slice(0, end));
          text = text.slice(end + 1);
          if (type !== 'ADDED') this.failures.push(`${type} ${JSON.stringify(object)}`);
          this.names.push(object.metadata.name);
          this.#after = object.metadata.resourceVersion;
        }
      });
    });
  }
}

it('a killed reader loses and repeats nothing, is replaced, and a killed primary ends all', {
  timeout: 180_000,
}, async () => {
  const folder = newFolder();
  // A path of a socket has at most 107 bytes.
  const sockets = mkdtempSync(join(tmpdir(), 'lw-'));
  await using server = new ListwatchProcess(FLAGS, folder, { TMPDIR: sockets });
  const { kubeconfig } = await server.ready();
  expect(readdirSync(sockets).filter((name) => name.startsWith('listwatch-readers-'))).toHaveLength(2);
  const readers = childrenOf(server.pid);
  expect(readers).toHaveLength(2);
  const first = await ask(kubeconfig, MAPS);
  const [, resourceVersion = ''] = /"resourceVersion":"(\d+)"/u.exec(JSON.stringify(first.body)) ?? [];
  const watches = Array.from({ length: 6 }, () => new ResumingWatch(kubeconfig, resourceVersion));
  const wanted: string[] = [];
  for (let count = 0; count < 40; count++) {
    const name = `m-${count}`;
    if (count === 15) process.kill(readers[0] ?? 0, 'SIGKILL');
    // A connection to the reader that dies may break: the write is asked for again, and may have been done.
    for (;;) {
      const headers = { 'content-type': 'application/json' };
      const written = await inTime(ask(kubeconfig, MAPS, { method: 'POST', headers }, { metadata: { name } }));
      if (written?.status === 201 || written?.status === 409) break;
    }
    wanted.push(name);
    const listed = await inTime(ask(kubeconfig, MAPS));
    if (listed?.status === 200) expect(JSON.stringify(listed.body)).toContain(`"${name}"`);
  }
  await soon(() => {
    for (const watch of watches) expect(watch.names).toEqual(wanted);
  });
  for (const watch of watches) {
    watch.stop();
    expect(watch.failures).toEqual([]);
  }
  expect(watches.reduce((sum, { resumes }) => sum + resumes, 0)).toBeGreaterThan(0);
  await soon(async () => {
    const { body } = await ask(kubeconfig, '/metrics');
    expect(body).toContain('listwatch_reader_restarts_total 1');
    expect(body).toMatch(/apiserver_request_total\{reader="1",/u);
    expect(body).toMatch(/apiserver_request_total\{reader="2",/u);
  });
  const now = childrenOf(server.pid);
  expect(now).toHaveLength(2);
  server.kill('SIGKILL');
  await soon(() => expect(now.filter(isRunning)).toEqual([]));
  expect(readdirSync(sockets).filter((name) => name.startsWith('listwatch-readers-'))).toEqual([]);
  rmSync(sockets, { recursive: true });
});

it('a connection that was on its way to a reader as it was killed is answered by another one', {
  timeout: 120_000,
}, async () => {
  await using server = new ListwatchProcess(FLAGS, newFolder());
  const { kubeconfig } = await server.ready();
  const [frozen = 0] = childrenOf(server.pid);
  process.kill(frozen, 'SIGSTOP');
  // Each on a connection of its own: half of them are given to the reader that does not move.
  const asked = Array.from({ length: 8 }, () => ask(kubeconfig, MAPS));
  const answers = Promise.all(asked);
  await Promise.race(asked);
  process.kill(frozen, 'SIGKILL');
  expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { body } = await ask(kubeconfig, '/metrics');
  expect(body).toMatch(/^listwatch_reader_connections_redealt_total [1-9]/mu);
});

it('reads of readers and writes of the primary are in one audit log; SIGTERM ends all with 0, and nothing is left', {
  timeout: 120_000,
}, async () => {
  const folder = newFolder();
  const policy = join(folder, 'policy.yaml');
  const log = join(folder, 'audit.log');
  writeFileSync(
    policy,
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{ level: Metadata }]\n',
  );
  await using server = new ListwatchProcess([...FLAGS, '--audit-policy-file', policy, '--audit-log-path', log], folder);
  const { kubeconfig } = await server.ready();
  const readers = childrenOf(server.pid);
  const headers = { 'content-type': 'application/json' };
  for (let count = 0; count < 10; count++) {
    expect((await ask(kubeconfig, MAPS, { method: 'POST', headers }, { metadata: { name: `a${count}` } })).status).toBe(
      201,
    );
    expect((await ask(kubeconfig, `${MAPS}/a${count}`)).status).toBe(200);
  }
  const events = (): readonly AuditLine[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): AuditLine => JSON.parse(line))
      .filter(({ objectRef }) => objectRef?.resource === 'configmaps');
  const names = Array.from({ length: 10 }, (_, at) => `a${at}`);
  const namesOf = (verb: string): readonly (string | undefined)[] =>
    events()
      .filter((event) => event.verb === verb)
      .map(({ objectRef }) => objectRef?.name);
  await soon(() => {
    expect(namesOf('create')).toEqual(names);
    expect(namesOf('get')).toEqual(names);
  });
  // Nobody sees the primary's side of a request that a reader passed on.
  expect(new Set(events().map(({ sourceIPs }) => sourceIPs.join()))).toEqual(new Set(['127.0.0.1']));
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(readers.filter(isRunning)).toEqual([]);
});

it('a port that is taken is explained as without readers', { timeout: 120_000 }, async () => {
  await using one = new ListwatchProcess(FLAGS, newFolder());
  const { url } = await one.ready();
  const flags = FLAGS.map((flag) => (flag === '0' ? new URL(url).port : flag));
  await using other = new ListwatchProcess(flags, newFolder());
  const { code, stderr } = await other.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('is taken');
});
