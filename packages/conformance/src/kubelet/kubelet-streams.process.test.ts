import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiObject, resource } from '@listwatch/api';
import {
  attach,
  type Cluster,
  connect,
  connectPort,
  copyFrom,
  copyTo,
  exec,
  forwardPort,
  podLogs,
} from '@listwatch/client';
import { createApiServer, firstAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKubeApiserver } from '../parts/kube-apiserver-process.ts';
import { type KubeletStreamsProcess, startKubeletStreams } from '../parts/kubelet-streams-process.ts';
import { needs } from '../parts/real-part.ts';
import { TestAuthority } from '../parts/test-authority.ts';
import { eventually } from '../storage/eventually.ts';

interface LooseObject extends ApiObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

const nodes = resource<LooseObject>({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const pods = resource<LooseObject>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

/** A server in front of the kubelet. */
interface Front {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

const authority = new TestAuthority();

async function ownServer(): Promise<Front> {
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    kubelets: { caData: authority.ca },
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === 'secret' ? { name: 'me', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  const stop = async (): Promise<void> => {
    await server.close();
    await engine.close();
  };
  return { url: server.url, ca: authority.ca, token: 'secret', stop };
}

async function realServer(): Promise<Front> {
  const server = await startKubeApiserver();
  return { url: server.url, ca: server.ca, token: server.token, stop: () => server.stop() };
}

/** What listens in the pod: says what it has got, and ends. */
async function startGreeter(wanted = 0): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk: Buffer) => socket.end(`got ${chunk.toString()}`));
  });
  server.listen({ host: '127.0.0.1', port: wanted });
  await once(server, 'listening');
  const address = server.address();
  const stop = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, stop };
}

/** What a local client of a forwarded port is told until its connection ends. */
async function greetingOf(port: number): Promise<string> {
  const socket = connectTcp({ host: '127.0.0.1', port });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {});
  socket.write('hello');
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  return text;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const web = { namespace: 'default', name: 'web' };

/** The kubelet's own server of streams knows version 4 over WebSockets, and SPDY; both servers translate version 5. */
describe.each([
  { name: 'our server', start: ownServer, part: needs('kubelet-streams'), asksAsItsClient: true },
  {
    name: 'kube-apiserver',
    start: realServer,
    part: { ...needs('kubelet-streams'), ...needs('kube-apiserver') },
    asksAsItsClient: false,
  },
])("a kubelet's streams behind $name", { timeout: 60_000 }, ({ start, part, asksAsItsClient }) => {
  const kubectlPart = { ...part, ...needs('kubectl') };
  let front: Front;
  let kubelet: KubeletStreamsProcess;
  let cluster: Cluster;
  let folder: string;

  const addNode = async (name: string, port: number): Promise<void> => {
    await cluster.create(nodes, { metadata: { name } });
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    await cluster.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  };

  beforeAll(async () => {
    if (part.skip === true) return;
    folder = await mkdtemp(join(tmpdir(), 'listwatch-streams-'));
    [front, kubelet] = await Promise.all([start(), startKubeletStreams(authority.server())]);
    cluster = await connect({ server: front.url, caData: front.ca, token: front.token });
    await addNode('node', kubelet.port);
    const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] };
    await eventually('the pod can be created', async () => {
      const created = await cluster.create(pods, { metadata: web, spec }).catch(() => undefined);
      return created;
    });
    const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await cluster.patch(pods, web, { type: 'merge', body: { status: running } }, { subresource: 'status' });
  }, 120_000);

  afterAll(async () => {
    if (part.skip === true) return;
    await cluster.close();
    await front.stop();
    await kubelet.stop();
    await rm(folder, { recursive: true });
  }, 60_000);

  it('exec gives output and exit code', part, async () => {
    const session = await exec(cluster, web, { command: ['sh', '-c', 'echo out; echo err >&2; exit 7'] });
    expect(await session.output()).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
  });

  it('a program that is not there is a StatusError', part, async () => {
    const session = await exec(cluster, web, { command: ['/no/such/program'] });
    await expect(session.wait()).rejects.toMatchObject({
      reason: 'InternalError',
      message: expect.stringContaining('no such file'),
    });
  });

  it('the end of stdin reaches the command', part, async () => {
    const session = await exec(cluster, web, { command: ['sort'], stdin: 'b\na\n' });
    expect(await session.output()).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' });
  });

  it('a command that writes much and is read slowly is held back, and nothing is lost', part, async () => {
    const session = await exec(cluster, web, { command: ['head', '-c', '20000000', '/dev/zero'], stderr: false });
    let bytes = 0;
    for await (const chunk of session.stdout) {
      if (bytes === 0) await new Promise((resolve) => setImmediate(resolve));
      bytes += chunk.length;
    }
    expect([bytes, await session.wait()]).toEqual([20_000_000, { code: 0 }]);
  });

  it('a client that leaves ends the command', part, async () => {
    const session = await exec(cluster, web, { command: ['sh', '-c', 'echo $$; exec cat'], stdin: true });
    const { value } = await session.stdout.lines()[Symbol.asyncIterator]().next();
    expect(isRunning(Number(value))).toBe(true);
    session.close();
    await eventually('the command is over', () => !isRunning(Number(value)));
  });

  it('a megabyte there and back is the same megabyte', part, async () => {
    const session = await exec(cluster, web, { command: ['head', '-c', '1000000'], stdin: true });
    const sent = Buffer.alloc(1_000_000, 'abcdefg');
    const writing = session.stdin.write(sent);
    const received = Buffer.from(await session.stdout.bytes());
    await writing;
    expect([received.equals(sent), await session.wait()]).toEqual([true, { code: 0 }]);
  });

  it('attach and the size of a terminal', part, async () => {
    const attached = await attach(cluster, web, { stdin: true, tty: true });
    await attached.stdin.write('hello\n');
    const lines = attached.stdout.lines()[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'hello' });
    attached.close();
    const sized = await exec(cluster, web, {
      command: ['wait-for-size', '1'],
      stdin: true,
      tty: { columns: 111, rows: 22 },
    });
    expect(await sized.stdout.text()).toBe('111x22\n');
  });

  it('a forwarded port, across the restart of the pod', part, async () => {
    const first = await startGreeter();
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, web, {
      port: first.port,
      onError: (error) => errors.push(error),
    });
    expect(await greetingOf(forwarded.port)).toBe('got hello');
    await first.stop();
    expect([await greetingOf(forwarded.port), errors]).toMatchObject(['', [{ code: 'PORT_FAILED' }]]);
    const second = await startGreeter(first.port);
    expect(await greetingOf(forwarded.port)).toBe('got hello');
    await second.stop();
  });

  it('a forwarded port whose pod comes back on another node waits for it', part, async () => {
    const greeter = await startGreeter();
    const moved = { namespace: 'default', name: 'moved' };
    const containers = [{ name: 'c', image: 'i' }];
    const gone = await startKubeletStreams(authority.server());
    await addNode('gone', gone.port);
    await cluster.create(pods, { metadata: moved, spec: { nodeName: 'gone', containers } });
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, moved, {
      port: greeter.port,
      onError: (error) => errors.push(error),
    });
    expect(await greetingOf(forwarded.port)).toBe('got hello');
    expect(gone.requests.filter((line) => line.includes('/portForward/default/moved'))).toHaveLength(1);
    await gone.stop();
    const waiting = greetingOf(forwarded.port);
    await cluster.delete(pods, moved, { gracePeriodSeconds: 0 });
    await cluster.create(pods, { metadata: moved, spec: { containers } });
    // What the port waits for is known by these words.
    await expect(connectPort(cluster, moved, { port: greeter.port })).rejects.toMatchObject({
      reason: 'BadRequest',
      message: 'pod moved does not have a host assigned',
    });
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: moved, target: { kind: 'Node', name: 'node' } };
    const path = '/api/v1/namespaces/default/pods/moved/binding';
    expect(await (await cluster.raw(path, { method: 'POST', body: binding })).json()).toMatchObject({ code: 201 });
    expect([await waiting, errors]).toEqual(['got hello', []]);
    expect(kubelet.requests.filter((line) => line.includes('/portForward/default/moved')).length).toBeGreaterThan(0);
    await greeter.stop();
  });

  it('copies in both directions, and logs', part, async () => {
    await writeFile(join(folder, 'local'), Buffer.alloc(300_000, 'xyz'));
    await copyTo(cluster, web, { from: join(folder, 'local'), to: join(folder, 'remote') });
    await copyFrom(cluster, web, { from: join(folder, 'remote'), to: join(folder, 'back') });
    expect((await readFile(join(folder, 'back'))).equals(await readFile(join(folder, 'local')))).toBe(true);
    const lines: string[] = [];
    for await (const line of podLogs(cluster, web).lines()) lines.push(line);
    expect(lines).toEqual(['line 1 of web', 'line 2 of web', 'line 3 of web']);
  });

  it.each([
    { over: 'WebSockets', isSpdy: false, env: {} },
    {
      over: 'SPDY, as before 1.31',
      isSpdy: true,
      env: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' },
    },
  ])('kubectl exec, attach, cp, port-forward and logs over $over', kubectlPart, async ({ isSpdy, env }) => {
    const run = promisify(execFile);
    await writeFile(join(folder, 'ca.crt'), front.ca);
    const flags = [
      `--server=${front.url}`,
      `--certificate-authority=${join(folder, 'ca.crt')}`,
      `--token=${front.token}`,
      '--kubeconfig=/dev/null',
    ];
    const options = { env: { ...process.env, ...env } };
    const kubectl = (...args: readonly string[]): ReturnType<typeof run> =>
      run('kubectl', [...flags, ...args], options);
    const fed = async (input: string, ...args: readonly string[]): Promise<string> => {
      const child = execFile('kubectl', [...flags, ...args], options);
      let said = '';
      child.stdout?.on('data', (chunk: string) => (said += chunk));
      child.stdin?.end(input);
      await once(child, 'close');
      return said;
    };
    const asked = kubelet.requests.length;
    expect((await kubectl('exec', 'web', '--', 'echo', 'hello')).stdout).toBe('hello\n');
    await expect(kubectl('exec', 'web', '--', 'sh', '-c', 'exit 5')).rejects.toMatchObject({ code: 5 });
    expect(await fed('b\na\n', 'exec', '-i', 'web', '--', 'sort')).toBe('a\nb\n');
    expect(await fed('hello\n', 'attach', '-i', 'web')).toBe('hello\n');
    await writeFile(join(folder, 'local'), Buffer.alloc(300_000, 'xyz'));
    await kubectl('cp', join(folder, 'local'), `default/web:${join(folder, 'by-kubectl')}`);
    expect((await readFile(join(folder, 'by-kubectl'))).length).toBe(300_000);
    await rm(join(folder, 'by-kubectl'));
    const greeter = await startGreeter();
    const forwarding = execFile('kubectl', [...flags, 'port-forward', 'web', `:${greeter.port}`], options);
    const [told] = await once(forwarding.stdout ?? expect.unreachable(), 'data');
    expect(await greetingOf(Number(/:(\d+) ->/u.exec(String(told))?.[1]))).toBe('got hello');
    forwarding.kill();
    await once(forwarding, 'close');
    await greeter.stop();
    expect((await kubectl('logs', 'web')).stdout).toContain('line 3 of web');
    const streams = kubelet.requests.slice(asked).filter((line) => !line.includes('/containerLogs/'));
    expect(streams.filter((line) => line.includes('SPDY/3.1')).length).toBeGreaterThanOrEqual(6);
    expect(streams.some((line) => line.includes('websocket'))).toBe(asksAsItsClient && !isSpdy);
  });
});
