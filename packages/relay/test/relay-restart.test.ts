import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configMaps } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { JournalError, openJournalFolder } from '../src/disk/journal-folder.ts';
import type { RelayJournalOptions } from '../src/start/relay-options.ts';
import { ADMIN, RelayWorld } from './relay-world.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const WAIT = { timeout: 20_000 };
const KEY = Buffer.alloc(32, 1);
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-relay-restart-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const files = (): readonly string[] => readdirSync(join(folder, 'relay-journal')).toSorted();

interface AuditLine {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: { readonly resource: string };
  readonly user: { readonly username: string };
}

/** The lists and streams of the whole kind that the upstream was asked for, by whom. */
function lists(): readonly string[] {
  const text = readFileSync(join(folder, 'audit.log'), 'utf8');
  const lines = text.split('\n').filter(Boolean);
  const whole: string[] = [];
  for (const line of lines) {
    const { stage, verb, requestURI, objectRef, user }: AuditLine = JSON.parse(line);
    if (objectRef?.resource !== 'configmaps' || stage === 'RequestReceived') continue;
    // How far the kind is: a list of a name that nobody has.
    if (requestURI.includes('listwatch-relay-probe')) continue;
    // A watcher asks for one object to see whether the history is still the same.
    const isList = verb === 'list' && !requestURI.includes('limit=1&') && !requestURI.endsWith('limit=1');
    const isStream = verb === 'watch' && requestURI.includes('sendInitialEvents=true') && stage === 'ResponseStarted';
    if (isList || isStream) whole.push(`${user.username} ${requestURI}`);
  }
  return whole;
}

async function caughtUp(world: RelayWorld, version: string, of = 'configmaps'): Promise<void> {
  await vi.waitFor(() => {
    expect(world.relay.state.kinds.find(({ kind }) => kind === of)?.resourceVersion).toBe(version);
  }, WAIT);
}

/** The same relay again, at the same address. */
async function restart(world: RelayWorld, journal: RelayJournalOptions, kinds = ['configmaps']): Promise<void> {
  const port = Number(new URL(world.relay.url).port);
  await world.stopRelay();
  await world.startRelay(kinds, {}, { journal, port });
}

function start(journal: RelayJournalOptions, kinds = ['configmaps']): Promise<RelayWorld> {
  return RelayWorld.start({ kinds, auditLog: join(folder, 'audit.log'), options: { journal } });
}

it.each([
  ['plain', undefined],
  ['encrypted', KEY],
])(
  'a relay that is restarted lists nothing, and its clients go on with what happened meanwhile (%s)',
  async (_, key) => {
    const journal = { folder, ...(key === undefined ? {} : { key }) };
    await using world = await start(journal);
    await world.write('a', { n: '1' });
    const first = await world.write('gone', { n: '1' });
    await using followed = informer(await world.through(ADMIN), configMaps, { namespace: 'default' });
    await followed.synced;
    await caughtUp(world, await world.write('b', { n: '1' }));
    const before = lists();
    const listed = followed.metrics.lists;
    const port = Number(new URL(world.relay.url).port);
    await world.stopRelay();
    expect(files()).toEqual(['configmaps.v1.journal']);
    expect(statSync(join(folder, 'relay-journal')).mode & 0o777).toBe(0o700);
    // Nobody but the upstream hears of these.
    await world.write('a', { n: '2' });
    await world.direct('DELETE', `${PATH}/gone`);
    await world.startRelay(['configmaps'], {}, { journal, port });
    const last = await world.write('b', { n: '2' });
    await vi.waitFor(() => {
      expect(followed.store.get('default/b')?.data).toEqual({ n: '2' });
      expect(followed.store.get('default/a')?.data).toEqual({ n: '2' });
      expect(followed.store.get('default/gone')).toBeUndefined();
    }, WAIT);
    await caughtUp(world, last);
    // A version from before the restart is still there: whoever was away longer goes on, too.
    const old = await world.ask(ADMIN, `${PATH}?resourceVersion=${first}&resourceVersionMatch=Exact`);
    expect(old.text).toContain('"name":"gone"');
    const watched = await world.ask(ADMIN, `${PATH}?watch=true&resourceVersion=${first}&timeoutSeconds=1`);
    expect(watched.text).not.toContain('ERROR');
    expect(watched.text.match(/"type":"(?:ADDED|MODIFIED|DELETED)"/gu)).toHaveLength(4);
    expect([followed.metrics.lists, lists()]).toEqual([listed, before]);
    expect(world.relay.state.kinds[0]).toMatchObject({ state: 'live', feed: { loads: 0 }, journal: { state: 'kept' } });
    expect(world.errors).toEqual([]);
  },
  60_000,
);

it('a journal of another cluster at the same address costs one list, and is said', async () => {
  const engine = createMemoryEngine();
  await using world = await RelayWorld.start({ engine, options: { journal: { folder } } });
  await caughtUp(world, await world.write('a', { of: 'the first cluster' }));
  const file = join(folder, 'relay-journal', 'configmaps.v1.journal');
  await world.stopRelay();
  const first = readFileSync(file);
  // The same address, another cluster.
  await world.stopUpstream();
  await world.restartUpstream(createMemoryEngine());
  await world.grant();
  for (let i = 0; i < 10; i += 1) await world.write(`b${i}`, { of: 'the second cluster' });
  await world.startRelay(['configmaps'], {}, { journal: { folder } });
  expect(world.errors.join()).toContain('it is of another cluster');
  expect((await world.ask(ADMIN, `${PATH}?resourceVersion=0`)).text).not.toContain('the first cluster');
  expect(world.relay.state.kinds[0]?.feed.loads).toBe(1);
  await world.stopRelay();
  // The release is in the file as text: it has no key.
  const second = readFileSync(file);
  expect([first.equals(second), second.includes('"release":"v')]).toEqual([false, true]);
});

it('Secrets are on disk only with a key', async () => {
  const kinds = ['secrets', 'configmaps'];
  await using world = await start({ folder }, kinds);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'swordfish' } };
  await world.direct('POST', '/api/v1/namespaces/default/secrets', secret);
  await caughtUp(world, await world.write('a', { open: 'swordfish-not' }), 'configmaps');
  await restart(world, { folder }, kinds);
  await vi.waitFor(() => expect(files()).toEqual(['configmaps.v1.journal']), WAIT);
  expect(world.errors.join()).toContain('secrets: there is no journal of them');
  await restart(world, { folder, key: KEY }, kinds);
  await restart(world, { folder, key: KEY }, kinds);
  await vi.waitFor(() => expect(files()).toEqual(['configmaps.v1.journal', 'secrets.v1.journal']), WAIT);
  for (const name of files()) {
    const bytes = readFileSync(join(folder, 'relay-journal', name));
    for (const text of ['swordfish', Buffer.from('swordfish').toString('base64')])
      expect(bytes.includes(text)).toBe(false);
    expect(statSync(join(folder, 'relay-journal', name)).mode & 0o777).toBe(0o600);
  }
  expect(world.relay.state.kinds.map(({ kind, feed }) => [kind, feed.loads])).toEqual([
    ['secrets', 0],
    ['configmaps', 0],
  ]);
});

it.each([
  ['that others may enter', (place: string) => mkdirSync(place, { mode: 0o755 }), /open to others \(mode 755\)/u],
  ['that is a file', (place: string) => writeFileSync(place, ''), /EEXIST|no folder/u],
  ['that is a link', (place: string) => symlinkSync(tmpdir(), place), /no folder/u],
])('a folder %s is not used: the relay does not start', async (_, make, reason) => {
  make(join(folder, 'relay-journal'));
  await expect(openJournalFolder(folder)).rejects.toThrow(reason);
  await expect(openJournalFolder(folder)).rejects.toBeInstanceOf(JournalError);
});
