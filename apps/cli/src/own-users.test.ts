import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineKind } from '@listwatch/kinds/author';
import { type ApiServer, createApiServer, type UserInfo } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_USERS } from './console/console-user.ts';
import { installCrdFolder } from './serve/crd-folder.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const MAP = '/api/v1/namespaces/default/configmaps/a';
const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/listwatch:console';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const website = defineKind({ group: 'example.com', version: 'v1', kind: 'Website', schema: { type: 'object' } }).crd;

let server: ApiServer;

async function statusOf(user: UserInfo, method: string, path: string, body?: object): Promise<number> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await server.handle({ method, path, headers: { 'content-type': type }, body: sent }, { user });
  await answer.body[Symbol.asyncIterator]().return?.();
  return answer.status;
}

beforeAll(async () => {
  server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  const master = { name: 'ada', groups: ['system:masters'] };
  for (const name of ['a', 'b']) {
    const map = { metadata: { name } };
    expect(await statusOf(master, 'POST', '/api/v1/namespaces/default/configmaps', map)).toBe(201);
  }
});

afterAll(() => server.close());

describe('the console', () => {
  it('sees everything that its page shows, and no more', async () => {
    const paths = ['/api/v1/secrets', CRDS, '/apis', '/openapi/v3', '/version', '/readyz', '/debug/overview', ROLE];
    for (const path of paths) {
      expect([path, await statusOf(CONSOLE_USERS.read, 'GET', path)]).toEqual([path, 200]);
    }
    for (const path of ['/metrics', '/debug/cache', '/healthz/ping']) {
      expect([path, await statusOf(CONSOLE_USERS.read, 'GET', path)]).toEqual([path, 403]);
    }
  });

  it('changes nothing without write access', async () => {
    const { read } = CONSOLE_USERS;
    expect(await statusOf(read, 'PATCH', MAP, { data: { x: 'y' } })).toBe(403);
    expect(await statusOf(read, 'DELETE', MAP)).toBe(403);
    expect(await statusOf(read, 'PUT', MAP, { metadata: { name: 'a' } })).toBe(403);
    expect(await statusOf(read, 'POST', MAP.slice(0, -2), { metadata: { name: 'c' } })).toBe(403);
  });

  it('edits and deletes with it, and gives itself no rights', async () => {
    const { write } = CONSOLE_USERS;
    expect(await statusOf(write, 'PATCH', MAP, { data: { x: 'y' } })).toBe(200);
    expect(await statusOf(write, 'DELETE', MAP)).toBe(200);
    expect(await statusOf(write, 'POST', MAP.slice(0, -2), { metadata: { name: 'c' } })).toBe(403);
    const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
    expect(await statusOf(write, 'PATCH', `${ROLE}-editor`, { rules })).toBe(403);
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: write.name }];
    const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin';
    expect(await statusOf(write, 'PATCH', binding, { subjects })).toBe(403);
  });
});

it('--crds creates and changes CRDs, and its user can do nothing else', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'website.json'), JSON.stringify(website));
  const users = new Map<string, UserInfo>();
  const statuses: number[] = [];
  const seen: Pick<ApiServer, 'handle'> = {
    async handle(request, options) {
      const answer = await server.handle(request, options);
      if (options?.user !== undefined) users.set(options.user.name, options.user);
      statuses.push(answer.status);
      return answer;
    },
  };
  for (let times = 0; times < 2; times += 1) {
    const installed = await installCrdFolder(seen, { path: folder, log: pino({ level: 'silent' }) });
    await installed.close();
  }
  expect(statuses).not.toContain(403);
  const [user, ...others] = [...users.values()];
  expect([user?.name, others]).toEqual(['system:listwatch:crds', []]);
  if (user === undefined) return;
  expect(await statusOf(user, 'GET', MAP)).toBe(403);
  expect(await statusOf(user, 'GET', CRDS)).toBe(403);
  expect(await statusOf(user, 'DELETE', `${CRDS}/websites.example.com`)).toBe(403);
});

it('none of them is in system:masters', () => {
  for (const { groups } of Object.values(CONSOLE_USERS)) expect(groups).toEqual([]);
});
