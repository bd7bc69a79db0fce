import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../start/in-process-server.fixture.ts';
import { HookedServer, patchOf } from './hook-server.fixture.ts';

let hooked: HookedServer;

beforeAll(async () => {
  hooked = await HookedServer.start();
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

const maps = (namespace: string, name = ''): string =>
  `/api/v1/namespaces/${namespace}/configmaps${name === '' ? '' : `/${name}`}`;
const MERGE = { type: 'application/merge-patch+json' };

/** Webhooks for all objects with a label, in whatever namespace. */
async function labelled(namespace: string): Promise<{ readonly labels: object }> {
  const labels = { only: namespace };
  const everywhere = { namespaceSelector: {}, objectSelector: { matchLabels: labels } };
  await hooked.configure('Mutating', hooked.hookOf(namespace, 'm', everywhere));
  await hooked.configure('Validating', hooked.hookOf(namespace, 'v', everywhere));
  return { labels };
}

describe('nobody is called', () => {
  it('for a read, a body that is no object, and a user without the right', async () => {
    const ns = await hooked.namespace();
    const metadata = { name: 'a', ...(await labelled(ns)) };
    expect((await hooked.server.ask('POST', maps(ns), { metadata })).status).toBe(201);
    expect(hooked.hook.paths).toEqual(['m', 'v']);
    hooked.hook.calls.length = 0;
    expect((await hooked.server.ask('GET', maps(ns, 'a'))).status).toBe(200);
    expect((await hooked.server.ask('POST', maps(ns), '{"metadata":')).status).toBe(400);
    expect((await hooked.server.ask('POST', maps(ns), { metadata, data: 1 })).status).toBe(400);
    const strict = { metadata: { ...metadata, name: 'b' }, bogus: 1 };
    expect((await hooked.server.ask('POST', `${maps(ns)}?fieldValidation=Strict`, strict)).status).toBe(400);
    const user = { name: 'eve', groups: ['system:authenticated'] };
    expect((await hooked.server.ask('POST', maps(ns), { metadata }, { user })).status).toBe(403);
    expect((await hooked.server.ask('PATCH', maps(ns, 'none'), { metadata }, MERGE)).status).toBe(404);
    expect((await hooked.server.ask('DELETE', maps(ns, 'none'))).status).toBe(404);
    expect(hooked.hook.paths).toEqual([]);
  });

  it('for an object in a namespace that is missing or ends', async () => {
    const ns = await hooked.namespace();
    const metadata = { name: 'a', ...(await labelled(ns)) };
    expect((await hooked.server.ask('POST', maps('none'), { metadata })).status).toBe(404);
    await hooked.server.ok('DELETE', `/api/v1/namespaces/${ns}`);
    await hooked.server.ok('GET', '/api/v1/namespaces');
    expect((await hooked.server.ask('POST', maps(ns), { metadata })).status).toBe(403);
    expect(hooked.hook.paths).toEqual([]);
  });
});

describe('a mutating webhook', () => {
  it('is asked again with the new object when a patch has lost to another write', async () => {
    const ns = await hooked.namespace();
    await hooked.create(ns, 'a');
    let isFirst = true;
    hooked.hook.answers['m'] = async () => {
      if (isFirst) {
        isFirst = false;
        await hooked.server.ok('PATCH', maps(ns, 'a'), { data: { other: '1' } }, MERGE);
      }
      return { allowed: true };
    };
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm'));
    const patched = await hooked.server.ok('PATCH', maps(ns, 'a'), { data: { own: '1' } }, MERGE);
    expect(patched.data).toEqual({ k: 'v', own: '1', other: '1' });
    const seen = hooked.hook.calls.map(({ request }) => [request.oldObject.data, request.object.data]);
    expect(seen).toEqual([
      [{ k: 'v' }, { k: 'v', own: '1' }],
      [{ k: 'v' }, { k: 'v', other: '1' }],
      [
        { k: 'v', other: '1' },
        { k: 'v', own: '1', other: '1' },
      ],
    ]);
  });

  it('is not called by a label that only a later one adds', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['last'] = patchOf({ op: 'add', path: '/metadata/labels', value: { x: 'yes' } });
    const first = { objectSelector: { matchLabels: { x: 'yes' } }, reinvocationPolicy: 'IfNeeded' };
    await hooked.configure('Mutating', hooked.hookOf(ns, 'first', first), hooked.hookOf(ns, 'last'));
    expect((await hooked.create(ns, 'a')).body.metadata.labels).toEqual({ x: 'yes' });
    expect(hooked.hook.paths).toEqual(['last']);
  });

  it('adds no field that its kind does not have', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['m'] = patchOf({ op: 'add', path: '/bogus', value: 1 });
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm'));
    const { status, body } = await hooked.create(ns, 'a');
    expect([status, body.bogus]).toEqual([201, undefined]);
  });

  it('that breaks managedFields is warned of, and they are reset', async () => {
    const ns = await hooked.namespace();
    const broken = [{ manager: 'x', operation: 'Bogus', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }];
    hooked.hook.answers['m'] = patchOf({ op: 'replace', path: '/metadata/managedFields', value: broken });
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm'));
    const { status, headers, body } = await hooked.create(ns, 'a');
    expect([status, headers['warning']]).toEqual([
      201,
      expect.stringContaining('was in an invalid state after admission'),
    ]);
    expect((body.metadata.managedFields ?? []).map(({ operation }: Json) => operation)).not.toContain('Bogus');
  });

  it('is called as soon as the namespace has the label that it is about', async () => {
    const ns = await hooked.namespace();
    const namespaceSelector = { matchLabels: { team: ns } };
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm', { namespaceSelector }));
    await hooked.create(ns, 'a');
    expect(hooked.hook.paths).toEqual([]);
    await hooked.server.ok('PATCH', `/api/v1/namespaces/${ns}`, { metadata: { labels: { team: ns } } }, MERGE);
    await hooked.server.ok('GET', '/api/v1/namespaces');
    await hooked.create(ns, 'b');
    expect(hooked.hook.paths).toEqual(['m']);
  });
});
