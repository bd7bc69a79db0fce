import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { resource } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../src/index.ts';
import { HealthServer, plainAnswer } from '../src/manager/health-server.ts';
import { type Manager, type ManagerOptions, manager } from '../src/manager/index.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const LEASE = { namespace: 'default', name: 'web' };

let env: TestEnvironment;
let stop: AbortController;
let running: Promise<void>;
let sockets: Socket[];

beforeEach(async () => {
  env = await startTestServer();
  stop = new AbortController();
  running = Promise.resolve();
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  env.faults.restoreAll();
  stop.abort();
  await Promise.allSettled([running]);
  await env.close();
});

function make(options: ManagerOptions = {}): Manager {
  const made = manager(env.cluster, {
    health: { host: '127.0.0.1', port: 0 },
    logger: silentLogger,
    leaderElection: { lease: LEASE },
    ...options,
  });
  made.add({ name: 'maps', for: configMaps, selection: { namespace: 'default' }, reconcile });
  return made;
}

function reconcile({ key }: { readonly key: { readonly name: string } }): void {
  if (key.name === 'bad') throw new Error('bad');
}

async function start(made: Manager): Promise<string> {
  running = made.run({ signal: stop.signal });
  running.catch(() => undefined);
  return eventually('the server', () => made.health);
}

const write = (name: string): Promise<unknown> =>
  env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

async function open(url: string): Promise<Socket> {
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('the probes of a manager', () => {
  it('it is alive at once, and ready when its caches are complete; both say why on request', async () => {
    const fault = env.faults.halfOpen();
    const made = make();
    const url = await start(made);
    expect(await ask(`${url}/healthz`)).toEqual([200, 'ok']);
    expect(await ask(`${url}/healthz?verbose`)).toEqual([200, '[+]manager starting\nhealthz check passed\n']);
    expect(await ask(`${url}/readyz`)).toEqual([
      503,
      '[-]manager starting\n[-]informer configmaps namespace=default syncing\nreadyz check failed\n',
    ]);
    fault.restore();
    stop.abort();
    await running;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('a cache that degrades later stays ready, and the reason is there', async () => {
    const made = make();
    const url = await start(made);
    await eventually('ready', async () => (await ask(`${url}/readyz`))[0] === 200);
    expect(await ask(`${url}/readyz`)).toEqual([200, 'ok']);
    expect(await ask(`${url}/readyz?verbose`)).toEqual([
      200,
      '[+]manager running\n[+]informer configmaps namespace=default live\nreadyz check passed\n',
    ]);
    env.faults.tooManyRequests(1_000_000);
    env.faults.cutWatches();
    const [status, text] = await eventually('degraded', async () => {
      const answer = await ask(`${url}/readyz?verbose`);
      return answer[1].includes('degraded') && answer;
    });
    expect(status).toBe(200);
    expect(text).toMatch(/^\[\+\]informer configmaps namespace=default degraded: .+$/m);
  });

  it('only GET and HEAD of what it has', async () => {
    const url = await start(make({ metrics: false }));
    expect((await ask(`${url}/`))[0]).toBe(404);
    expect((await ask(`${url}/metrics`))[0]).toBe(404);
    expect((await ask(`${url}/constructor`))[0]).toBe(404);
    const posted = await fetch(`${url}/healthz`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/healthz`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '2', '']);
  });

  it('an address that is taken rejects with HEALTH_SERVER, and nothing was started', async () => {
    const url = await start(make());
    const second = make({ health: { host: '127.0.0.1', port: Number(new URL(url).port) } });
    await expect(second.run()).rejects.toMatchObject({
      code: 'HEALTH_SERVER',
      message: expect.stringContaining('EADDRINUSE'),
    });
    expect(second.informers.size).toBe(0);
  });

  it('readers that never read and senders that never end hold up neither a probe nor the stop', async () => {
    const url = await start(make());
    for (let reader = 0; reader < 20; reader++) {
      const socket = await open(url);
      socket.pause();
      socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100));
    }
    const endless = await open(url);
    endless.write('GET /metrics HTTP/1.1\r\nx: ');
    expect((await ask(`${url}/healthz`))[0]).toBe(200);
    const large = await open(url);
    let answer = '';
    large.on('data', (chunk) => (answer += String(chunk)));
    large.write(`GET /healthz HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
    await once(large, 'close');
    expect(answer).not.toContain('200');
    stop.abort();
    await running;
  });

  it('cuts off a reader that takes nothing of its answer', async () => {
    const whole = 64 * 1024 * 1024;
    const pages = { '/large': () => plainAnswer(200, 'x'.repeat(whole)) };
    const server = new HealthServer({ host: '127.0.0.1', port: 0 }, pages, 100);
    await server.listen();
    const socket = await open(server.url ?? '');
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'readable');
    await eventually('the cut', async () => (await server.connections) === 0);
    let read = 0;
    socket.on('data', (chunk: Buffer) => (read += chunk.length));
    socket.resume();
    await once(socket, 'close');
    expect(read).toBeLessThan(whole);
    await server.close();
  });

  it('cuts a connection that pipelines, and answers the others', async () => {
    let asked = 0;
    const answered = new AbortController();
    const pages = {
      '/slow': async () => {
        asked++;
        if (!answered.signal.aborted) await once(answered.signal, 'abort');
        return plainAnswer(200, 'done');
      },
      '/healthz': () => plainAnswer(200, 'ok'),
    };
    const server = new HealthServer({ host: '127.0.0.1', port: 0 }, pages);
    await server.listen();
    const url = server.url ?? '';
    const patient = await open(url);
    let answers = '';
    patient.on('data', (chunk) => (answers += String(chunk)));
    patient.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await eventually('three questions', () => asked === 3);
    const greedy = await open(url);
    greedy.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
    await eventually('the cut', () => greedy.closed);
    expect(asked).toBe(6);
    expect(await ask(`${url}/healthz`)).toEqual([200, 'ok']);
    answered.abort();
    await eventually('three answers', () => answers.split('done').length === 4);
    // Those that are answered count no longer.
    patient.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await eventually('three more', () => answers.split('done').length === 7);
    await server.close();
  });

  it('takes no more than 64 connections', async () => {
    const url = await start(make());
    for (let index = 0; index < 64; index++) await open(url);
    const refused = await open(url);
    await once(refused, 'close');
    expect(sockets.filter(({ closed }) => closed)).toEqual([refused]);
    for (const socket of sockets) socket.destroy();
    await eventually('room again', async () => {
      const answer = await ask(`${url}/healthz`).catch(() => undefined);
      return answer?.[0] === 200;
    });
  });
});

describe('the metrics of a manager', () => {
  it('are what the reference lists, with the same types', async () => {
    const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
    const [part = ''] = (page.split('\n## The metrics of a manager\n')[1] ?? '').split('\n## ');
    const listed = Array.from(part.matchAll(/^\| `(\w+)` +\| (\w+)/gmu), ([, name, type]) => `${name} ${type}`);
    const shown = Array.from(
      (await make().registry.metrics()).matchAll(/^# TYPE (\w+ \w+)$/gmu),
      ([, line = '']) => line,
    );
    expect(listed.toSorted()).toEqual(shown.toSorted());
  });

  it('count informers, queues, reconciles, requests and the leader', async () => {
    await write('a');
    const made = make();
    const url = await start(made);
    await write('bad');
    const metrics = await eventually('a failure', async () => {
      const text = (await ask(`${url}/metrics`))[1];
      const failed = /controller_runtime_reconcile_errors_total\{controller="maps"\} [1-9]/.test(text);
      return failed && text.includes('leader_election_master_status{name="web"} 1') && text;
    });
    const maps = '{group="",resource="configmaps",scope="namespace=default"';
    const lines = metrics.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `listwatch_informer_objects${maps}} 2`,
        `listwatch_informer_synced${maps}} 1`,
        `listwatch_informer_lists_total${maps}} 1`,
        `listwatch_informer_errors_total${maps}} 0`,
        `listwatch_informer_status${maps},phase="live"} 1`,
        `listwatch_informer_status${maps},phase="degraded"} 0`,
        'controller_runtime_reconcile_total{controller="maps",result="success"} 1',
        'controller_runtime_max_concurrent_reconciles{controller="maps"} 1',
        'workqueue_depth{name="maps",controller="maps"} 0',
        expect.stringMatching(/^workqueue_retries_total\{name="maps",controller="maps"\} [1-9]/),
        expect.stringMatching(
          /^workqueue_queue_duration_seconds_bucket\{name="maps",controller="maps",le="\+Inf"\} [1-9]/,
        ),
        expect.stringMatching(/^controller_runtime_reconcile_time_seconds_count\{controller="maps"\} [1-9]/),
        expect.stringMatching(/^rest_client_requests_total\{code="200",method="GET",host="[^"]+"\} [1-9]/),
        expect.stringMatching(/^rest_client_requests_total\{code="201",method="POST",host="[^"]+"\} 1/),
      ]),
    );
    expect(bucketsOf(metrics, 'controller_runtime_reconcile_time_seconds')).toEqual(
      bucketsOf(metrics, 'controller_runtime_reconcile_time_seconds').toSorted((a, b) => a - b),
    );
  });
});

function bucketsOf(metrics: string, name: string): readonly number[] {
  return Array.from(metrics.matchAll(new RegExp(`^${name}_bucket\\{.*\\} (\\d+)$`, 'gm')), ([, value]) =>
    Number(value),
  );
}

async function ask(url: string): Promise<readonly [number, string]> {
  const answer = await fetch(url, { headers: { connection: 'close' } });
  return [answer.status, await answer.text()];
}
