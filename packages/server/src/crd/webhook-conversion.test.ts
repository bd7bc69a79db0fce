import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../start/in-process-server.fixture.ts';
import { ConversionWebhook, type HookAnswer } from './conversion-webhook.fixture.ts';
import { CRDS, CustomServer, LIMIT, MERGE, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';

let server: CustomServer;
let hook: ConversionWebhook;
let count = 0;

beforeAll(async () => {
  [server, hook] = await Promise.all([CustomServer.start(), ConversionWebhook.start()]);
});

beforeEach(() => {
  hook.behave = undefined;
  hook.calls.length = 0;
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

const text = { type: 'string' };

/** Widgets with the versions v1, which is stored, and v2. */
async function install(conversion: object = hook.conversion): Promise<string> {
  count += 1;
  const group = `c${count}.example.com`;
  const one = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: specSchema({ both: text }) } };
  const two = {
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: specSchema({ first: text, second: text }) },
  };
  await server.install(widgets(group, {}, { conversion, versions: [one, two] }));
  return group;
}

describe('a conversion webhook', () => {
  it('shows objects in every version, and is asked once for each change however many watch', async () => {
    const group = await install();
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { both: 'a b' } }));
    expect(hook.calls).toEqual([]);
    const shown = await server.ok('GET', pathOf(group, '/w', 'v2'));
    expect(shown).toMatchObject({ apiVersion: `${group}/v2`, spec: { first: 'a', second: 'b' } });
    const list = await server.ok('GET', pathOf(group, '', 'v2'));
    expect(list.items).toMatchObject([{ spec: { first: 'a', second: 'b' } }]);
    const at = `resourceVersion=${list.metadata.resourceVersion}`;
    const watches = await Promise.all([1, 2, 3].map(() => server.watch(`${pathOf(group, '', 'v2')}?${at}`)));
    hook.calls.length = 0;
    await server.ok('PATCH', pathOf(group, '/w'), { spec: { both: 'c d' } }, MERGE);
    for (const watch of watches) {
      await vi.waitFor(
        () => expect(watch.events.map(({ object }) => object.spec)).toEqual([{ first: 'c', second: 'd' }]),
        LIMIT,
      );
      watch.stop();
    }
    expect(hook.calls).toEqual([1]);
    hook.calls.length = 0;
    await server.ok('GET', pathOf(group, '/w', 'v2'));
    await server.ok('GET', pathOf(group, '', 'v2'));
    expect(hook.calls).toEqual([]);
  });

  it('converts what is written in another version, there and back', async () => {
    const group = await install();
    const made = await server.ok(
      'POST',
      pathOf(group, '', 'v2'),
      widget(group, 'w', { spec: { first: 'a', second: 'b' } }, 'v2'),
    );
    expect(made).toMatchObject({ apiVersion: `${group}/v2`, spec: { first: 'a', second: 'b' } });
    expect(await server.ok('GET', pathOf(group, '/w'))).toMatchObject({ spec: { both: 'a b' } });
    const patched = await server.ok('PATCH', pathOf(group, '/w', 'v2'), { spec: { second: 'c' } }, MERGE);
    expect(patched).toMatchObject({ spec: { first: 'a', second: 'c' }, metadata: { generation: 2 } });
    expect((await server.ok('GET', pathOf(group))).items).toMatchObject([{ spec: { both: 'a c' } }]);
    const same = await server.ok('PATCH', pathOf(group, '/w', 'v2'), {}, MERGE);
    expect(same.metadata.resourceVersion).toBe(patched.metadata.resourceVersion);
  });

  const failures: [string, (review: Json) => HookAnswer, string][] = [
    ['says no', (review) => response(review, { result: { status: 'Failed', message: 'no way' } }), ' failed: no way'],
    ['gives no objects', (review) => response(review, { convertedObjects: [] }), ' returned 0 objects, expected 1'],
    ['answers another question', (review) => response(review, { uid: 'x' }), ' failed: expected response.uid='],
    ['answers nothing', () => ({ body: {} }), ' failed: no response provided'],
    ['renames', (review) => renamed(review), ' returned invalid object: must have the same name: w != other'],
    [
      'keeps the version',
      (review) => response(review, { convertedObjects: review.request.objects }),
      ' returned invalid object at index 0: invalid groupVersion (expected',
    ],
    ['is not there', () => ({ status: 404, body: '' }), ' failed: the server could not find the requested resource'],
    ['fails', () => ({ status: 500, body: { message: 'boom' } }), ' failed: boom'],
    ['answers no JSON', () => ({ body: '', raw: { text: 'garbage', bytes: 7 } }), ' failed: '],
    [
      'answers 100 MB',
      () => ({ body: '', raw: { text: ' '.repeat(65_536), bytes: 100_000_000 } }),
      'the answer has more than',
    ],
    [
      'answers 1 500 000 values',
      (review) => changed(review, (object) => ({ ...object, spec: Array.from({ length: 1_500_000 }, () => 0) })),
      ': an object of the answer has 1500',
    ],
    [
      'adds a label that is no label',
      (review) => changed(review, (object) => ({ ...object, metadata: { ...object.metadata, labels: { a: '-' } } })),
      ' returned invalid metadata: metadata.labels: Invalid value: "-": a valid label must be',
    ],
    [
      'makes a number of an annotation',
      (review) => changed(review, (object) => ({ ...object, metadata: { ...object.metadata, annotations: { a: 1 } } })),
      ' returned invalid metadata: metadata.annotations[a] must be a string, but is int64 in converted object',
    ],
    ['answers too much', () => ({ body: 'x'.repeat(4 * 1024 * 1024) }), 'the answer has more than'],
  ];

  it.each(failures)(
    'that %s makes a GET fail with 500 and a LIST with 429, and others are served',
    async (_name, behave, message) => {
      const group = await install();
      await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { both: 'a b' } }));
      hook.behave = behave;
      const read = await server.ask('GET', pathOf(group, '/w', 'v2'));
      expect(read.body).toMatchObject({ code: 500, message: expect.stringContaining(message) });
      expect(read.body.message).toContain(`conversion webhook for ${group}/v1, Kind=Widget`);
      expect((await server.ask('GET', pathOf(group, '', 'v2'))).status).toBe(429);
      expect((await server.ask('GET', pathOf(group))).body.items).toHaveLength(1);
      for (const probe of ['/healthz', '/livez', '/readyz']) expect((await server.ask('GET', probe)).status).toBe(200);
      hook.behave = undefined;
      expect((await server.ask('GET', pathOf(group, '/w', 'v2'))).status).toBe(200);
      await vi.waitFor(async () => {
        await server.clock.advance(1000);
        expect((await server.ask('GET', pathOf(group, '', 'v2'))).status).toBe(200);
      }, LIMIT);
    },
  );

  it('that does not answer holds up nobody else, and lets its definition be deleted', async () => {
    const group = await install();
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { both: 'a b' } }));
    hook.behave = () => 'hang';
    const hanging = server.ask('GET', pathOf(group, '/w', 'v2'));
    await vi.waitFor(() => expect(hook.calls).not.toEqual([]), LIMIT);
    expect((await server.ask('GET', pathOf(group, '/w'))).status).toBe(200);
    expect((await server.ask('GET', '/api/v1/namespaces')).status).toBe(200);
    await server.uninstall(`widgets.${group}`);
    expect((await server.ask('GET', `${CRDS}/widgets.${group}`)).status).toBe(404);
    // Its cache may ask a little later than the request.
    const dropping = setInterval(() => hook.drop(), 20);
    expect((await hanging).status).toBe(500);
    clearInterval(dropping);
  });

  it('that dies in the middle of an answer, or is gone, makes requests fail and not the server', async () => {
    const group = await install();
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { both: 'a b' } }));
    hook.rawBytes = 0;
    hook.behave = () => ({ body: '', raw: { text: ' '.repeat(65_536), bytes: Number.POSITIVE_INFINITY } });
    const cut = server.ask('GET', pathOf(group, '/w', 'v2'));
    await vi.waitFor(() => expect(hook.rawBytes).toBeGreaterThan(0), LIMIT);
    hook.drop();
    expect((await cut).status).toBe(500);
    // No more of an endless answer is taken than its limit and what the connection holds.
    expect(hook.rawBytes).toBeLessThan(64 * 1024 * 1024);
    expect((await server.ask('GET', pathOf(group, '/w'))).status).toBe(200);
    hook.behave = undefined;
    await server.until(200, 'GET', pathOf(group, '/w', 'v2'));
  });

  it('may be a service', async () => {
    const service = { namespace: 'default', name: 'hook', path: '/convert', port: hook.port };
    const clientConfig = { service, caBundle: hook.caBundle };
    const group = await install({ strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } });
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { both: 'a b' } }));
    const read = await server.ask('GET', pathOf(group, '/w', 'v2'));
    expect(read.body.message).toContain('failed: service "hook" not found');
    const metadata = { name: 'hook', namespace: 'default' };
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await server.ok('POST', '/api/v1/namespaces/default/services', {
      kind: 'Service',
      apiVersion: 'v1',
      metadata,
      spec,
    });
    await server.until(200, 'GET', pathOf(group, '/w', 'v2'));
  });
});

function response(review: Json, changes: object): { body: unknown } {
  const answer = hook.converted(review);
  return { body: { ...answer, response: { ...answer.response, ...changes } } };
}

function changed(review: Json, change: (object: Json) => Json): { body: unknown } {
  return response(review, { convertedObjects: hook.converted(review).response.convertedObjects.map(change) });
}

function renamed(review: Json): { body: unknown } {
  const { convertedObjects } = hook.converted(review).response;
  const [first] = convertedObjects;
  return response(review, { convertedObjects: [{ ...first, metadata: { ...first.metadata, name: 'other' } }] });
}
