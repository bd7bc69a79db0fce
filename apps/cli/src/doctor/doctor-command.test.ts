import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { type ApiObject, resource } from '@listwatch/api';
import { type Cluster, createCluster, decorate, type TransportDecorator } from '@listwatch/client';
import { startTestServer, type TestEnvironment, type TestServerOptions } from '@listwatch/testing';
import { describe, expect, it, vi } from 'vitest';
import type { Connect } from '../cluster/open-cluster.ts';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { CHECKS } from './checks.ts';
import { doctor } from './doctor-command.ts';
import type { DoctorFlags } from './doctor-flags.ts';
import { reportOf, summariesOf, verdictsOf } from './doctor-report.fixture.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

interface Started {
  readonly host: FakeHost;
  readonly ended: Promise<number>;
}

/** A server with clients as the command has them: without retries. */
function serve(server: TestServerOptions['server'] = {}): Promise<TestEnvironment> {
  return startTestServer({ client: { maxRetries: 0 }, server });
}

/** The command closes its client; the test goes on with `env.cluster`. */
function clientOf(env: TestEnvironment): Cluster {
  return env.connectAs({ name: 'test-admin', groups: ['system:masters'] });
}

function start(
  env: TestEnvironment,
  flags: DoctorFlags = {},
  options: Parameters<typeof fakeHost>[0] = {},
  connect: Connect = async () => clientOf(env),
): Started {
  const host = fakeHost(options);
  return { host, ended: doctor({ duration: '3s', output: 'json', ...flags }, host, connect) };
}

async function fill(env: TestEnvironment, names: readonly string[] = ['a', 'b', 'c']): Promise<void> {
  const objects = names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }));
  await env.apply(objects);
}

/** Waits while something changes in the cluster, past the faults, so that bookmarks have news to tell. */
async function whileBusy<T>(env: TestEnvironment, work: Promise<T>): Promise<T> {
  let change = 0;
  const timer = setInterval(() => {
    change += 1;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'busy' }, data: { change: `${change}` } };
    // The server may close meanwhile.
    env.apply(object).catch(() => {});
  }, 100);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** The names of the objects that the command has left. */
async function leftBehind(env: TestEnvironment): Promise<readonly string[]> {
  const { items } = await env.cluster.list(configMaps);
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('listwatch-doctor'));
}

/** Carries out the creation of ConfigMaps, and loses the answer. */
const losesCreation: TransportDecorator = (next) => ({
  ...next,
  send: async (request) => {
    const answer = await next.send(request);
    if (request.method === 'POST' && request.path.includes('configmaps')) throw new Error('the answer is lost');
    return answer;
  },
});

describe('listwatch doctor of a sound server', () => {
  it('finds nothing wrong, counts its requests and ends with 0', async () => {
    await using env = await serve();
    await fill(env);
    const { host, ended } = start(env, { write: true });
    expect(await whileBusy(env, ended)).toBe(0);
    expect(verdictsOf(host)).toEqual({
      server: 'ok',
      rtt: 'ok',
      // The transport in the process has neither.
      clock: 'skipped',
      http2: 'skipped',
      discovery: 'ok',
      permissions: 'ok',
      paging: 'ok',
      versions: 'ok',
      history: 'ok',
      'watch-list': 'ok',
      bookmarks: 'ok',
      quiet: 'ok',
      latency: 'ok',
      fairness: 'ok',
      cost: 'ok',
      compression: 'skipped',
    });
    const { formatVersion, requests, verdict } = reportOf(host);
    expect({ formatVersion, verdict }).toEqual({ formatVersion: 1, verdict: 'ok' });
    expect(requests).toBeGreaterThan(50);
    expect(requests).toBeLessThan(150);
    expect(env.faults.watches).toBe(0);
  });

  it('prints a table with a verdict, a sentence and what to do for each check', async () => {
    await using env = await serve();
    await fill(env);
    const { host, ended } = start(env, { only: 'server,paging,latency,cost', output: 'text' });
    expect(await ended).toBe(0);
    const lines = host.written.stdout.split('\n');
    expect(lines[0]).toBe('CHECK    VERDICT  FINDING');
    expect(lines[2]).toMatch(
      /^paging {3}ok {7}Pages of configmaps fit together; \d+ were remaining after the first\.$/u,
    );
    expect(lines[3]).toBe('latency  skipped  Nothing was written.');
    expect(lines[4]).toBe('                  -> Pass --write to measure with a temporary ConfigMap.');
    expect(host.written.stdout).toMatch(/\nRESOURCE .*INFORMER OPTIONS\n/u);
    expect(host.written.stdout).toMatch(/\nloopback:: nothing is wrong; \d+ requests in .* m?s\n$/u);
    expect(host.written.stderr).toBe('');
  });

  it('pages through another resource when there are too few objects of the first', async () => {
    await using env = await serve();
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'empty' } });
    const { host, ended } = start(env, { only: 'paging', namespace: 'empty' });
    expect(await ended).toBe(0);
    expect(summariesOf(host, 'paging')).toContain('Pages of namespaces fit together');
    const few = start(env, { only: 'paging', namespace: 'empty', resource: 'configmaps' });
    expect(await few.ended).toBe(0);
    expect(verdictsOf(few.host)).toEqual({ paging: 'note' });
  });

  it('shows its progress on a terminal, wraps to its width, and leaves it clean', async () => {
    await using env = await serve();
    await fill(env);
    const { host, ended } = start(env, { only: 'history', output: 'text' }, { terminal: true, columns: 60 });
    await host.seen('loopback:: 0 of 1 checks · history', 'stderr');
    expect(await ended).toBe(0);
    expect(host.written.stderr.endsWith('\r\u001B[2K')).toBe(true);
    const plain = stripVTControlCharacters(host.written.stdout);
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(host.written.stdout).toContain('\u001B[32mok');
  });
});

describe('listwatch doctor --write', () => {
  it('deletes its ConfigMap after Ctrl-C, too, and ends with 130 and no report', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.halfOpen({ match: ({ method }) => method === 'PATCH' });
    const { host, ended } = start(env, { only: 'latency', write: true });
    await vi.waitFor(async () => expect(await leftBehind(env)).toHaveLength(1), 20_000);
    host.signal('SIGINT');
    expect(await ended).toBe(130);
    expect(await leftBehind(env)).toEqual([]);
    expect(host.written).toEqual({ stdout: '', stderr: '' });
  });

  it('deletes its ConfigMap when the check runs out of time', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.halfOpen({ match: ({ method }) => method === 'PATCH' });
    const { host, ended } = start(env, { only: 'latency', write: true, timeout: '1s' });
    expect(await ended).toBe(1);
    expect(summariesOf(host, 'latency')).toContain('Not finished within 1 s.');
    expect(await leftBehind(env)).toEqual([]);
  });

  it('deletes its ConfigMap when the answer to its creation is lost', async () => {
    await using env = await serve();
    await fill(env);
    const { transport } = clientOf(env);
    const connect = async () => createCluster(decorate(transport, [losesCreation]), { server: 'lossy' });
    const { host, ended } = start(env, { only: 'latency', write: true }, {}, connect);
    expect(await ended).toBe(1);
    expect(summariesOf(host, 'latency')).toContain('the answer is lost');
    expect(await leftBehind(env)).toEqual([]);
  });

  it('says what it could not delete, and how to delete it by hand', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.tooManyRequests(1000, undefined, { match: ({ method }) => method === 'DELETE' });
    const { host, ended } = start(env, { only: 'latency', write: true });
    expect(await ended).toBe(1);
    expect(summariesOf(host, 'latency')).toMatch(
      /Left behind: .*kubectl delete configmap -n default listwatch-doctor-/u,
    );
  });
});

describe('listwatch doctor of a server behind something that is broken', () => {
  it('warns when quiet watches are cut', async () => {
    await using env = await serve();
    await fill(env);
    const { host, ended } = start(env, { only: 'quiet' });
    await vi.waitFor(() => expect(env.faults.watches).toBe(1), 20_000);
    env.faults.cutWatches({ how: 'clean' });
    expect(await ended).toBe(1);
    expect(summariesOf(host, 'quiet')).toMatch(/^A quiet watch was ended after .* of 3 s/u);
  });

  it('fails when the version that was just listed cannot be watched', async () => {
    await using env = await serve();
    await fill(env);
    const version = (await env.cluster.list(configMaps)).metadata.resourceVersion ?? '';
    env.faults.expire(version);
    const { host, ended } = start(env, { only: 'history' });
    expect(await ended).toBe(1);
    expect(verdictsOf(host)).toEqual({ history: 'fail' });
  });

  it('warns when an old version is refused with something else than 410', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.tooManyRequests(100, undefined, {
      match: ({ path }) => path.includes('resourceVersion=1&'),
    });
    const { host, ended } = start(env, { only: 'history' });
    expect(await ended).toBe(1);
    expect(verdictsOf(host)).toEqual({ history: 'warn' });
  });

  it('ends with 130 on Ctrl-C while the server does not answer', async () => {
    await using env = await serve();
    env.faults.halfOpen();
    const { host, ended } = start(env, {}, { terminal: 'stderr' });
    await host.seen('connecting', 'stderr');
    host.signal('SIGINT');
    expect(await ended).toBe(130);
  });

  it('ends with 1 when the server never answers, and skips what cannot be examined', async () => {
    await using env = await serve();
    env.faults.halfOpen();
    const { host, ended } = start(env, { timeout: '500ms' });
    expect(await ended).toBe(1);
    expect(summariesOf(host, 'server')).toContain('does not answer GET /version within 0.5 s');
    const { server, ...others } = verdictsOf(host);
    expect(server).toBe('fail');
    expect(new Set(Object.values(others))).toEqual(new Set(['skipped']));
  });
});

/** Each waits for the seconds that it is given, on a server of its own. */
describe.concurrent('listwatch doctor that takes all of its time', () => {
  it('writes nothing without --write', async () => {
    await using env = await serve();
    await fill(env);
    const writes: string[] = [];
    const records: TransportDecorator = (next) => ({
      ...next,
      send: (request) => {
        if (request.method !== 'GET') writes.push(request.path);
        return next.send(request);
      },
    });
    const { transport } = clientOf(env);
    const connect = async () => createCluster(decorate(transport, [records]), { server: 'recorded' });
    expect(await start(env, {}, {}, connect).ended).toBe(0);
    // A question to the authorizer, which is not stored.
    expect(new Set(writes)).toEqual(new Set(['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews']));
  });

  it('warns when bookmarks are dropped', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.dropBookmarks();
    const { host, ended } = start(env, { only: 'bookmarks,watch-list' });
    expect(await whileBusy(env, ended)).toBe(1);
    expect(verdictsOf(host)).toEqual({ bookmarks: 'warn', 'watch-list': 'ok' });
    expect(summariesOf(host, 'bookmarks')).toContain('although the cluster changed');
  });

  it('warns when the end marker of watch-list is dropped, and says which option helps', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.dropInitialEventsEnd();
    const { host, ended } = start(env, { only: 'watch-list,cost' });
    expect(await ended).toBe(1);
    expect(verdictsOf(host)).toEqual({ 'watch-list': 'warn', cost: 'ok' });
    expect(summariesOf(host, 'watch-list')).toContain("initialStrategy: 'listWatch'");
  });

  it('goes on with the other checks when one of them fails or hangs', async () => {
    await using env = await serve();
    await fill(env);
    env.faults.halfOpen({ match: ({ path }) => path.includes('continue=') });
    const { host, ended } = start(env, { only: 'paging,versions,cost', timeout: '6s' });
    expect(await ended).toBe(1);
    expect(verdictsOf(host)).toEqual({ paging: 'fail', versions: 'ok', cost: 'ok' });
    expect(summariesOf(host, 'paging')).toContain('Not finished within 6 s.');
  });
});

describe('what a user may do', () => {
  interface Attempt {
    readonly isResource: boolean;
    readonly namespace?: string;
    readonly resource?: string;
    readonly verb: string;
  }

  async function examined(allows: (attempt: Attempt) => boolean, flags: DoctorFlags): Promise<FakeHost> {
    let isFilled = false;
    // As with RBAC, a rule for each resource is no rule for all of them.
    const authorizer = {
      authorize: (attempt: Attempt) => ({ allowed: !isFilled || (attempt.resource !== '*' && allows(attempt)) }),
    };
    await using env = await serve({ authorizer });
    await fill(env);
    isFilled = true;
    const { host, ended } = start(env, flags);
    await ended;
    return host;
  }

  it('a resource that may not be listed is a note, and another one is probed', async () => {
    const host = await examined(({ resource: name }) => name !== 'configmaps' && name !== 'secrets', {
      only: 'permissions,paging,cost',
    });
    expect(verdictsOf(host)).toEqual({ permissions: 'note', paging: 'ok', cost: 'ok' });
    expect(summariesOf(host, 'permissions')).toMatch(/neither list nor watch 2 resources of \d+: configmaps, secrets/u);
    expect(summariesOf(host, 'paging')).toContain('Pages of namespaces');
  });

  it('a resource that may be listed and not watched is a warning', async () => {
    const host = await examined(({ resource: name, verb }) => !(name === 'pods' && verb === 'watch'), {
      only: 'permissions',
    });
    expect(verdictsOf(host)).toEqual({ permissions: 'warn' });
    expect(summariesOf(host, 'permissions')).toContain('not both: pods');
  });

  it('a user of one namespace is examined there', async () => {
    const host = await examined(({ isResource, namespace }) => !isResource || namespace === 'default', {
      only: 'permissions,paging,cost',
    });
    // What is in no namespace stays forbidden.
    expect(verdictsOf(host)).toEqual({ permissions: 'note', paging: 'ok', cost: 'ok' });
    expect(summariesOf(host, 'permissions')).toMatch(
      /neither list nor watch in namespace default \d+ resources of \d+: namespaces/u,
    );
    expect(summariesOf(host, 'paging')).toContain('Pages of configmaps in default fit together');
  });

  it('a user who may not write is not at fault of the server', async () => {
    const host = await examined(({ verb }) => verb !== 'create', { only: 'latency', write: true });
    expect(verdictsOf(host)).toEqual({ latency: 'skipped' });
    expect(summariesOf(host, 'latency')).toContain('no ConfigMap can be written: 403');
  });

  it('a user who may do nothing is a failure, and nothing is probed', async () => {
    const host = await examined(({ isResource }) => !isResource, { only: 'permissions,paging,cost' });
    expect(verdictsOf(host)).toEqual({ permissions: 'fail', paging: 'skipped', cost: 'skipped' });
    expect(summariesOf(host, 'paging')).toContain('there is no resource to probe: 403');
  });
});

it('the help and the guide name every check', async () => {
  const host = fakeHost({ args: ['doctor', '--help'] });
  expect(await run(host)).toBe(0);
  const [, listed = ''] = /Checks: ([^.]*)\./u.exec(host.written.stdout) ?? [];
  const guide = readFileSync(new URL('../../../../docs/guide/doctor.md', import.meta.url), 'utf8');
  const names = CHECKS.map(({ name }) => name);
  expect(listed.split(/,\s+/u)).toEqual(names);
  const rows = [...guide.matchAll(/^\| `([a-z0-9-]+)` +\| (?!(?:as it|works|clients|list-watch|not examined))/gmu)];
  expect(rows.map(([, name]) => name)).toEqual(names);
});

describe('wrong options of listwatch doctor', () => {
  it.each([
    [['--only', 'nothing'], '--only must name checks (server, rtt, '],
    [['--skip', 'quite'], '--skip must name checks (server, rtt, '],
    [['--only', 'rtt', '--skip', 'rtt'], '--only and --skip leave no check to run'],
    [['--duration', '1s'], '--duration must be a duration of at least 3s, such as 20s or 5m, got "1s"'],
    [['--timeout', 'soon'], '--timeout must be a duration above 0 such as '],
    [['--top', '0'], '--top must be a whole number from 1 to 1000, got "0"'],
    [['-o', 'yaml'], '--output must be text or json, got "yaml"'],
    [['-n', '../x'], '--namespace must be a name such as default, got "../x"'],
    [['--resource', 'pods/web'], '--resource must be a resource such as pods, '],
    [['--token', 't'], '--token requires --server'],
    [['pods'], 'too many arguments'],
  ])('%j: %s', async (args, message) => {
    const host = fakeHost({ args: ['doctor', ...args] });
    expect(await run(host)).toBe(2);
    expect(host.written.stderr.startsWith(`listwatch: ${message}`)).toBe(true);
    expect(host.written.stdout).toBe('');
  });
});
