import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@listwatch/client';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { serve } from '../serve/serve.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const folder = newFolder();
let server: FakeHost;
let ended: Promise<number>;

beforeAll(async () => {
  server = fakeHost({ folder });
  ended = serve({ storage: 'memory', console: 'off', controllers: '-*', port: '0', verbosity: '1' }, server);
  await Promise.race([server.seen('Ready at'), ended.then(() => expect.fail('it has ended'))]);
});
afterAll(async () => {
  server.signal('SIGTERM');
  await ended;
});

/** Runs `listwatch user ...`. */
async function user(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const host = fakeHost({ args: ['user', ...args], folder });
  const code = await run(host);
  return { code, out: host.written.stdout, err: host.written.stderr };
}

/** Who the server says that the user of a kubeconfig is. */
async function whoIs(file: string): Promise<unknown> {
  await using cluster = await connect({ kubeconfig: join(folder, file), maxRetries: 0 });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const response = await cluster.transport.send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  if (response.status !== 201) return response.status;
  const { username, groups } = JSON.parse(Buffer.concat(parts).toString()).status.userInfo;
  return [username, ...groups];
}

describe.each([
  ['a certificate', [], 'client-key-data'],
  ['a token', ['--token'], 'token'],
])('a user with %s', (what, flags, secret) => {
  const kind = what.slice(2);
  const file = `ann-${kind}.kubeconfig`;

  it('is known by the kubeconfig, which only its owner can read, until it is revoked', async () => {
    const added = await user('add', 'ann', '--group', 'dev', 'ops', '--out', file, ...flags);
    expect([added.code, added.out]).toEqual([0, '']);
    expect(added.err).toContain(`gave ann of dev, ops a ${kind} until `);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(await whoIs(file)).toEqual(['ann', 'dev', 'ops', 'system:authenticated']);
    const listed = await user('list');
    expect(listed.out).toMatch(new RegExp(`^ann +dev,ops +${kind} +valid +`, 'mu'));
    const revoked = await user('revoke', 'ann');
    expect(revoked.out).toMatch(new RegExp(`^revoked the ${kind} \\S+ of ann$`, 'mu'));
    expect(await whoIs(file)).toBe(401);
    expect((await user('revoke', 'ann')).err).toContain('has no credential that could be revoked');
  });

  it('leaves nothing secret in a log, a record or what is printed', async () => {
    const config = JSON.parse(JSON.stringify(load(readFileSync(join(folder, file), 'utf8'))));
    const value: string = config.users[0].user[secret];
    expect(value.length).toBeGreaterThan(100);
    await using cluster = await connect({ kubeconfig: join(folder, '.listwatch/kubeconfig') });
    const response = await cluster.transport.send({ method: 'GET', path: '/api/v1/secrets', headers: {} });
    let stored = '';
    for await (const part of response.body) stored += Buffer.from(part).toString();
    for (const text of [stored, server.written.stdout, server.written.stderr])
      expect(text).not.toContain(value.slice(-80));
  });
});

describe('listwatch user', () => {
  it('revokes one credential by its id and leaves the others', async () => {
    await user('add', 'bob', '--out', 'bob-1', '--token');
    await user('add', 'bob', '--out', 'bob-2', '--token', '--hours', '1');
    const [, first = ''] = /revoke bob --id (\S+)/u.exec((await user('add', 'bob', '--out', 'bob-3')).err) ?? [];
    expect((await user('revoke', 'bob', '--id', first)).code).toBe(0);
    expect([await whoIs('bob-1'), await whoIs('bob-3')]).toEqual([['bob', 'system:authenticated'], 401]);
  });

  it('prints a command that revokes it as it stands, also for a name and a folder that a shell would split', async () => {
    const { err } = await user('add', "o'neil x", '--data', '.listwatch', '--out', 'oneil', '--token');
    expect(err).toMatch(/ revoke it with: listwatch user revoke 'o'\\''neil x' --id \S+ --data .listwatch\n$/u);
  });

  it('does not take a token whose record has another type, nor one that another key signed', async () => {
    const text = readFileSync(join(folder, 'bob-2'), 'utf8');
    const config = JSON.parse(JSON.stringify(load(text)));
    const [head, payload, signature] = config.users[0].user.token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, groups: ['system:masters'] })).toString('base64url');
    config.users[0].user.token = [head, forged, signature].join('.');
    writeFileSync(join(folder, 'forged'), JSON.stringify(config));
    expect(await whoIs('forged')).toBe(401);
    expect(await whoIs('bob-2')).toEqual(['bob', 'system:authenticated']);
  });

  it('prints the kubeconfig when it is told to, and nothing else there', async () => {
    const { out, code } = await user('add', 'eve', '--out', '-', '--token');
    expect([code, out.startsWith('apiVersion: v1\nkind: Config\n')]).toEqual([0, true]);
  });

  it.each([
    [['add', 'ann', '--out', 'ann-token.kubeconfig'], 2, '--out must be a file that does not exist yet'],
    [['add', 'ann'], 2, "required option '--out <FILE>' not specified"],
    [['add', 'system:admin', '--out', 'x'], 2, 'NAME must not begin with system:'],
    [['add', 'a\u001b[2J', '--out', 'x'], 2, 'NAME must be a text of 1 to 64 printable characters'],
    [['add', 'a', '--group', '', '--out', 'x'], 2, '--group must be a text'],
    [['add', 'a', '--hours', '9000', '--out', 'x'], 2, '--hours must be a whole number from 1 to 8760'],
    [['add', 'a', '--data', 'nope', '--out', 'x'], 1, 'does not exist: start the server, or name its data folder'],
    [['revoke', 'nobody'], 1, 'nobody has no credential that could be revoked'],
  ])('%j is refused', async (args, code, problem) => {
    const answer = await user(...args);
    expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(problem)]);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });
});
