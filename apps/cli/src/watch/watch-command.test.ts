import { type ApiObject, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { describe, expect, it } from 'vitest';
import type { Connect } from '../cluster/open-cluster.ts';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { watch } from './watch-command.ts';
import type { WatchFlags } from './watch-flags.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

function configMap(name: string, data: Readonly<Record<string, string>> = {}, namespace = 'default'): ConfigMap {
  return { metadata: { name, namespace, labels: { app: name } }, data };
}

interface Started {
  readonly host: FakeHost;
  readonly ended: Promise<number>;
}

function start(
  cluster: Cluster,
  flags: Partial<WatchFlags> = {},
  options: Parameters<typeof fakeHost>[0] = {},
  connect: Connect = async () => cluster,
): Started {
  const host = fakeHost(options);
  return { host, ended: watch({ resource: 'configmaps', ...flags }, host, connect) };
}

async function endOf({ host, ended }: Started): Promise<number> {
  host.signal('SIGINT');
  return ended;
}

/** The lines of JSON, in short. */
function events(host: FakeHost): readonly string[] {
  const lines = host.written.stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { type, object, initial, finalStateKnown } = JSON.parse(line);
    return [
      initial === true ? 'EXISTS' : type,
      object.metadata.name,
      ...(finalStateKnown === false ? ['unseen'] : []),
    ].join(' ');
  });
}

async function versionOf(env: TestEnvironment): Promise<string> {
  return (await env.cluster.list(configMaps)).metadata.resourceVersion ?? '';
}

describe('listwatch watch into a pipe', () => {
  it('writes what is there and then each change as a line of JSON, and ends with 130 on Ctrl-C', async () => {
    await using env = await startTestServer();
    const made = await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster);
    const { host } = started;
    await host.seen('"a"');
    await env.cluster.create(configMaps, configMap('b'));
    await host.seen('"b"');
    await env.cluster.update(configMaps, { ...made, data: { changed: 'yes' } });
    await host.seen('changed');
    await env.cluster.delete(configMaps, { namespace: 'default', name: 'a' });
    await host.seen('DELETED');
    expect(await endOf(started)).toBe(130);
    expect(events(host)).toEqual(['EXISTS a', 'ADDED b', 'MODIFIED a', 'DELETED a']);
    expect(host.written.stderr).toBe('');
  });

  it('closes its watch when it ends, by SIGTERM with 143', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const { host, ended } = start(env.cluster);
    await host.seen('"a"');
    expect(env.faults.watches).toBe(1);
    host.signal('SIGTERM');
    expect(await ended).toBe(143);
    expect(env.faults.watches).toBe(0);
  });

  it('ends quietly, with 141, when its reader has gone', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const { host, ended } = start(env.cluster);
    await host.seen('"a"');
    host.closeOutput();
    expect(await ended).toBe(141);
    expect(host.written.stderr).toBe('');
  });

  it.each([
    [{ name: 'a' }, ['EXISTS a']],
    [{ resource: 'cm/b' }, ['EXISTS b']],
    [{ selector: 'app=b' }, ['EXISTS b']],
    [{ fieldSelector: 'metadata.name!=a' }, ['EXISTS b']],
    [{ namespace: 'other' }, ['EXISTS c']],
    [{ allNamespaces: true }, ['EXISTS a', 'EXISTS b', 'EXISTS c']],
    [{ allNamespaces: true, watchOnly: true }, []],
  ])('with %j shows %j', async (flags, expected) => {
    await using env = await startTestServer();
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    for (const name of ['a', 'b']) await env.cluster.create(configMaps, configMap(name));
    await env.cluster.create(configMaps, configMap('c', {}, 'other'));
    const started = start(env.cluster, flags, { terminal: 'stderr' });
    await started.host.seen('live since', 'stderr');
    expect(await endOf(started)).toBe(130);
    expect(events(started.host)).toEqual(expected);
  });

  it('writes names for -o name, with the kind that kubectl takes', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster, { output: 'name' });
    await started.host.seen('\n');
    await endOf(started);
    expect(started.host.written.stdout).toBe('configmap/a\n');
  });
});

describe('listwatch watch --from', () => {
  it('shows what has happened since, without a list', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('old'));
    const from = await versionOf(env);
    const made = await env.cluster.create(configMaps, configMap('new'));
    await env.cluster.update(configMaps, { ...made, data: { a: '1' } });
    const started = start(env.cluster, { from });
    await started.host.seen('MODIFIED');
    await endOf(started);
    expect(events(started.host)).toEqual(['ADDED new', 'MODIFIED new']);
    expect(started.host.written.stderr).toBe('');
  });

  it('says so when the version is gone, and begins with the current state', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const from = await versionOf(env);
    await env.cluster.create(configMaps, configMap('b'));
    await env.faults.compactNow();
    const started = start(env.cluster, { from });
    await started.host.seen('"b"');
    await endOf(started);
    expect(started.host.written.stderr).toBe(
      `listwatch: resourceVersion ${from} is no longer in the server's history; listing again\n`,
    );
    expect(events(started.host)).toEqual(['EXISTS a', 'EXISTS b']);
  });
});

describe('listwatch watch when something fails', () => {
  it('tells it in one line, goes on, and shows the delete that it missed', async () => {
    await using env = await startTestServer();
    for (const name of ['a', 'b']) await env.cluster.create(configMaps, configMap(name));
    const started = start(env.cluster);
    const { host } = started;
    await host.seen('"b"');
    await env.cluster.create(configMaps, configMap('c'));
    await host.seen('"c"');
    const outage = env.faults.expire(await versionOf(env), { running: true });
    await host.seen('listwatch: ', 'stderr');
    outage.restore();
    await env.cluster.delete(configMaps, { namespace: 'default', name: 'a' });
    await host.seen('finalStateKnown');
    await endOf(started);
    expect(host.written.stderr).toMatch(
      /^listwatch: resourceVersion \d+ is no longer in the server's history; listing again\n$/u,
    );
    expect(events(host)).toEqual(['EXISTS a', 'EXISTS b', 'ADDED c', 'DELETED a unseen']);
  });

  it.each([
    ['pdos', 'the server has no resource "pdos"; did you mean pods?'],
    ['selfsubjectreviews', 'selfsubjectreviews.authentication.k8s.io cannot be watched: the server only allows create'],
  ])('answers the resource %s with: %s', async (text, message) => {
    await using env = await startTestServer();
    await expect(start(env.cluster, { resource: text }).ended).rejects.toMatchObject({ name: 'StartError', message });
  });

  it('ends at once when it may not watch, and says what it asked for', async () => {
    // Everybody may ask what there is, as on any cluster.
    const authorizer = { authorize: ({ isResource }: { isResource: boolean }) => ({ allowed: !isResource }) };
    await using env = await startTestServer({ server: { authorizer } });
    await expect(start(env.cluster).ended).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^not allowed to watch configmaps in default \(403\): .*"test-admin" cannot /u),
    });
  });

  it('ends at once when it may not even ask what there is', async () => {
    const authorizer = { authorize: () => ({ allowed: false }) };
    await using env = await startTestServer({ controllers: [], server: { authorizer } });
    const cluster = env.connectAs({ name: 'eve', groups: [] });
    await expect(start(cluster).ended).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^not allowed to discover its resources \(403\): .*"eve"/u),
    });
  });

  it('goes on when what it could watch is forbidden later', async () => {
    let allowed = true;
    const authorizer = { authorize: () => ({ allowed }) };
    await using env = await startTestServer({ server: { authorizer } });
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const started = start(env.cluster, {}, { terminal: 'stderr' });
    await started.host.seen('live since', 'stderr');
    allowed = false;
    env.faults.cutWatches();
    await started.host.seen('forbidden', 'stderr');
    allowed = true;
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } });
    await started.host.seen('"b"');
    expect(await endOf(started)).toBe(130);
  });
});

it('listwatch watch shows each warning of the server once, beside the output', async () => {
  await using env = await startTestServer();
  let warn: ((text: string) => void) | undefined;
  const connect: Connect = async ({ onWarning }) => {
    warn = (text) => {
      if (typeof onWarning === 'function') onWarning({ code: 299, agent: '-', text, method: 'GET', path: '/' });
    };
    warn('before there was a place to show it');
    return env.cluster;
  };
  const started = start(env.cluster, {}, {}, connect);
  await started.host.seen('before', 'stderr');
  for (const text of ['v1beta1 is deprecated', 'v1beta1 is deprecated', 'before there was a place to show it'])
    warn?.(text);
  await endOf(started);
  expect(started.host.written).toEqual({
    stdout: '',
    stderr: 'Warning: before there was a place to show it\nWarning: v1beta1 is deprecated\n',
  });
});

describe('listwatch watch on a terminal', () => {
  it('draws its state on stderr, prints text in colour on stdout, and leaves a clean terminal', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster, {}, { terminal: true, columns: 120 });
    const { host } = started;
    await host.seen('discovering the resources of loopback:', 'stderr');
    await host.seen('live since', 'stderr');
    await env.cluster.create(configMaps, configMap('b'));
    await host.seen('ADDED');
    await host.seen('2 objects', 'stderr');
    expect(await endOf(started)).toBe(130);
    expect(host.written.stdout).toMatch(/EXISTS .* a\n.*ADDED .* b\n$/su);
    expect(host.written.stdout).toContain('\u001B[32mADDED');
    expect(host.written.stdout).not.toContain('live since');
    const [state = '', last] = host.written.stderr.split('ended at');
    expect(state.endsWith('\r\u001B[2K')).toBe(true);
    expect(last).toMatch(/^ resourceVersion \d+; resume with --from \d+\n$/u);
  });

  it.each([0, 1])('counts reconnects, and not the watches that it took to begin: %i refused', async (refusals) => {
    await using env = await startTestServer();
    if (refusals > 0) {
      env.faults.tooManyRequests(refusals, undefined, { match: ({ path }) => path.includes('sendInitialEvents') });
    }
    await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster, {}, { terminal: 'stderr', columns: 200 });
    await started.host.seen('live since', 'stderr');
    await env.cluster.create(configMaps, configMap('b'));
    await started.host.seen('"b"');
    expect(started.host.written.stderr).not.toContain('reconnect');
    env.faults.cutWatches();
    await started.host.seen('· 1 reconnect', 'stderr');
    await endOf(started);
    expect(events(started.host)).toEqual(['EXISTS a', 'ADDED b']);
  });

  it('writes JSON to a file and the state to the terminal', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster, {}, { terminal: 'stderr' });
    await started.host.seen('"a"');
    await started.host.seen('live since', 'stderr');
    await endOf(started);
    expect(events(started.host)).toEqual(['EXISTS a']);
  });

  it('has no state to see with --no-status', async () => {
    await using env = await startTestServer();
    await env.cluster.create(configMaps, configMap('a'));
    const started = start(env.cluster, { status: false }, { terminal: true });
    await started.host.seen(' a\n');
    await env.cluster.create(configMaps, configMap('b'));
    await started.host.seen('ADDED');
    await endOf(started);
    expect(started.host.written.stderr).toMatch(/^ended at resourceVersion \d+; resume with --from \d+\n$/u);
  });
});

describe('wrong options of listwatch watch', () => {
  it.each([
    [['watch'], "missing required argument 'resource'"],
    [['watch', 'pods', '-o', 'yaml'], '--output must be text, wide, json or name, got "yaml"'],
    [['watch', 'pods', '--from', 'now'], '--from must be a resourceVersion such as 184467, got "now"'],
    [['watch', 'pods', '-A', '-n', 'a'], '--namespace cannot be combined with --all-namespaces'],
    [['watch', 'pods', '-n', '../x'], '--namespace must be a name such as default, got "../x"'],
    [['watch', 'pods', '-n', ''], '--namespace must be a name such as default, got ""'],
    [['watch', 'po ds'], '<resource> must be a resource such as pods, '],
    [['watch', 'pods', 'a,b'], '[name] is not a name: "a,b"'],
    [['watch', 'pods', '-l', 'a=b='], '--selector is invalid: "a=b=": '],
    [['watch', 'pods', '--field-selector', 'a'], '--field-selector is invalid: "a": '],
    [['watch', 'pods', '--token', 't'], '--token requires --server'],
    [['watch', 'pods', '--context', ''], '--context must not be empty'],
    [['watch', 'pods', '--as', ''], '--as must not be empty'],
    [['watch', 'pods', '--as', 'a', '--as-group', ''], '--as-group must not be empty'],
    [['watch', 'pods', '-s', 'https://h', '--token', ''], '--token must not be empty'],
    [
      ['watch', 'pods', '-s', 'https://h', '--context', 'c'],
      '--server cannot be combined with --kubeconfig or --context',
    ],
    [['watch', 'pods', '-s', 'h:6443'], '--server must be a URL such as https://10.0.0.1:6443, got "h:6443"'],
    [
      ['watch', 'pods', '-s', 'https://h', '--client-key', 'k'],
      '--client-certificate and --client-key must be given together',
    ],
    [
      ['watch', 'pods', '-s', 'https://h', '--certificate-authority', '/no'],
      '--certificate-authority: cannot read "/no"',
    ],
  ])('%j: %s', async (args, message) => {
    const host = fakeHost({ args });
    expect(await run(host)).toBe(2);
    expect(host.written.stderr.startsWith(`listwatch: ${message}`)).toBe(true);
    expect(host.written.stderr.trimEnd()).not.toContain('\n');
  });
});
