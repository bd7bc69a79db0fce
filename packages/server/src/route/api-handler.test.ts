import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessAttributes } from '../contract/authorization.ts';
import { type ApiServer, createApiServer } from '../index.ts';

const ADMIN = { name: 'admin', groups: ['system:masters'] };
const MAPS = '/api/v1/namespaces/default/configmaps';

let server: ApiServer;
/** What authorization was asked for, newest last. */
const checked: AccessAttributes[] = [];

function authorize(attributes: AccessAttributes): { readonly allowed: true } {
  checked.push(attributes);
  return { allowed: true };
}

beforeAll(async () => {
  server = createApiServer({ engine: createMemoryEngine(), authorizer: { authorize } });
  await server.start();
  await ask('POST', MAPS, { metadata: { name: 'a' } });
});

afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const response = await server.handle({ method, path, headers: {}, body: bytes }, { user: ADMIN });
  let text = '';
  for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  return { status: response.status, text };
}

describe('GET of one object with watch=true', () => {
  it.each(['', '&resourceVersion=0', '&timeoutSeconds=1'])('is a plain get, authorized as one: %j', async (more) => {
    const { status, text } = await ask('GET', `${MAPS}/a?watch=true${more}`);
    expect([status, JSON.parse(text).kind]).toEqual([200, 'ConfigMap']);
    expect(checked.at(-1)).toMatchObject({ verb: 'get', name: 'a' });
  });
});

describe('the old /watch/ paths', () => {
  it.each(['/api/v1/watch/namespaces/default/configmaps', '/api/v1/watch/namespaces/default/configmaps/a'])(
    '%s is a watch, authorized as one',
    async (path) => {
      const { status, text } = await ask('GET', `${path}?timeoutSeconds=1`);
      expect([status, JSON.parse(text.split('\n', 1)[0] ?? '').type]).toEqual([200, 'ADDED']);
      expect(checked.at(-1)).toMatchObject({ verb: 'watch', resource: 'configmaps', namespace: 'default' });
    },
  );

  it('answer any other method with 405, and subresources with 404', async () => {
    expect((await ask('POST', '/api/v1/watch/namespaces/default/configmaps')).status).toBe(405);
    expect((await ask('GET', '/api/v1/watch/namespaces/default/pods/x/status')).status).toBe(404);
  });
});

describe('a cluster-scoped kind below a namespace', () => {
  it.each([
    ['GET', '/api/v1/namespaces/default/nodes'],
    ['GET', '/api/v1/namespaces/default/nodes?watch=true'],
    ['GET', '/api/v1/namespaces/default/nodes/x'],
    ['GET', '/api/v1/watch/namespaces/default/nodes'],
    ['GET', '/api/v1/namespaces//nodes'],
    ['POST', '/api/v1/namespaces/default/nodes'],
    ['PUT', '/api/v1/namespaces/default/nodes/x'],
    ['PATCH', '/api/v1/namespaces/default/nodes/x'],
    ['DELETE', '/api/v1/namespaces/default/nodes/x'],
    ['DELETE', '/api/v1/namespaces/default/nodes'],
    ['GET', '/api/v1/namespaces/default/namespaces'],
    ['GET', '/api/v1/namespaces/default/namespaces/default'],
  ])('%s %s is 404', async (method, path) => {
    const { status, text } = await ask(method, path, method === 'GET' ? undefined : {});
    expect([status, JSON.parse(text).message]).toEqual([404, 'the server could not find the requested resource']);
  });

  it('but a Namespace has its own subresources there', async () => {
    expect((await ask('GET', '/api/v1/namespaces/default')).status).toBe(200);
    expect((await ask('GET', '/api/v1/namespaces/default/status')).status).toBe(200);
    expect((await ask('GET', '/api/v1/namespaces/default/finalize')).status).toBe(405);
  });
});

describe('odd paths', () => {
  it.each([
    ['GET', '/api/v1/pods/x', 404],
    ['POST', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/pods', 405],
    ['GET', '/api/v1/proxy/namespaces/default/pods/x', 404],
    ['GET', '/api/v1/namespaces/default%2Fconfigmaps', 200],
    ['GET', '/api/v1/namespaces/a%2Fb/configmaps', 404],
    ['GET', '/api/v1/namespaces//configmaps', 200],
    ['GET', '/api/v1//configmaps', 404],
    ['GET', '/api/v1/namespaces/default/configmaps/a/b/c', 404],
    ['GET', `${MAPS}/`, 200],
    ['GET', `/${MAPS}`, 404],
    ['GET', `/%2f${MAPS.slice(1)}`, 404],
  ])('%s %s is %d', async (method, path, status) => {
    expect((await ask(method, path, method === 'GET' ? undefined : {})).status).toBe(status);
  });

  it.each([
    ['GET', '/api/v1/namespaces/%2e%2e/configmaps', `Namespace parameter invalid: "..": may not be '..'`],
    ['GET', '/api/v1/namespaces/../configmaps?watch=true', `Namespace parameter invalid: "..": may not be '..'`],
    ['GET', '/api/v1/namespaces/%2E/configmaps/a', `Namespace parameter invalid: ".": may not be '.'`],
    ['POST', '/api/v1/namespaces/%2e%2e/configmaps', `Namespace parameter invalid: "..": may not be '..'`],
    ['DELETE', '/api/v1/namespaces/%2e%2e/configmaps', `Namespace parameter invalid: "..": may not be '..'`],
    ['GET', '/api/v1/watch/namespaces/%2e%2e/configmaps', `Namespace parameter invalid: "..": may not be '..'`],
    ['GET', '/api/v1/namespaces//configmaps/a', 'Namespace parameter required.'],
    ['GET', `${MAPS}/%2e%2e`, `Name parameter invalid: "..": may not be '..'`],
    ['DELETE', `${MAPS}/a%25b`, `Name parameter invalid: "a%b": may not contain '%'`],
  ])('%s %s is 400: %s', async (method, path, message) => {
    const { status, text } = await ask(method, path, method === 'GET' ? undefined : {});
    expect([status, JSON.parse(text).message]).toEqual([400, message]);
  });
});
