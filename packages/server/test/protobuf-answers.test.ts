import { loadSchemas } from '@listwatch/kinds/data';
import { canonical, DecodePlans, decodeMessage, MessagePlans, openEnvelope, type TypeName } from '@listwatch/schema';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../src/index.ts';
import { loopbackCall } from '../src/start/loopback-call.fixture.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const BOTH = `${PROTOBUF},application/json`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PARTIAL = `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`;
const PARTIAL_LIST = `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;

const set = await loadSchemas();
const messages = new MessagePlans(set);
const plans = new DecodePlans(set);
const WATCH_EVENT = messages.message('meta/v1.WatchEvent');

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const user = { name: 'admin', groups: ['system:masters'] };

async function ask(server: ApiServer, path: string, accept: string, method = 'GET', body?: object): Promise<Answer> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', accept };
  const response = await server.handle({ method, path, headers, body: bytes }, { user });
  const parts: Buffer[] = [];
  for await (const part of response.body) parts.push(Buffer.from(part));
  const { status, headers: answered } = response;
  return { status, type: answered['content-type'], headers: answered, bytes: Buffer.concat(parts) };
}

/** The object in an envelope, as JSON has it. */
function opened(bytes: Uint8Array, type: TypeName): Readonly<Record<string, unknown>> {
  const { apiVersion, kind, message } = openEnvelope(bytes);
  return { kind, apiVersion, ...canonical(plans.struct(type), decodeMessage(messages.message(type), message)) };
}

function json({ bytes }: Answer): unknown {
  return JSON.parse(bytes.toString());
}

/** The events of a watch: each a length, a type and an object in its envelope. */
function events(bytes: Buffer, type: TypeName): readonly unknown[] {
  const seen: unknown[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const event = bytes.subarray(at + 4, at + 4 + length);
    const { type: name, object } = decodeMessage(WATCH_EVENT, event, { parseJson: (raw) => raw });
    if (!(object instanceof Uint8Array)) throw new Error('an event has no object');
    seen.push({ type: name, object: opened(object, name === 'ERROR' ? 'meta/v1.Status' : type) });
    at += 4 + length;
  }
  return seen;
}

async function start(messageBytes?: number): Promise<{ readonly server: ApiServer } & AsyncDisposable> {
  const engine = createMemoryEngine();
  const server = createApiServer({ engine, cacheLimits: { messageBytes } });
  await server.start();
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.close();
      await engine.close();
    },
  };
}

async function put(server: ApiServer, name: string, data: object): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'x' } }, data };
  expect((await loopbackCall(server, 'POST', CONFIG_MAPS, body)).status).toBe(201);
}

function usedBytes(server: ApiServer): Promise<number> {
  return loopbackCall(server, 'GET', '/debug/cache').then(({ text }) => JSON.parse(text).bytes.messages.used);
}

describe('an object in protobuf', () => {
  it('is the same as in JSON, from a read and from every write', async () => {
    await using running = await start();
    const { server } = running;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'é' } };
    const created = await ask(server, CONFIG_MAPS, BOTH, 'POST', body);
    expect([created.status, created.type]).toEqual([201, PROTOBUF]);
    const read = await ask(server, `${CONFIG_MAPS}/a`, PROTOBUF);
    expect([read.status, read.type]).toEqual([200, PROTOBUF]);
    expect(read.bytes).toEqual(created.bytes);
    const inJson = json(await ask(server, `${CONFIG_MAPS}/a`, 'application/json'));
    expect(opened(read.bytes, 'core/v1.ConfigMap')).toEqual(inJson);
    const cached = await ask(server, `${CONFIG_MAPS}/a?resourceVersion=0`, PROTOBUF);
    expect(cached.bytes).toEqual(read.bytes);
    const updated = await ask(server, `${CONFIG_MAPS}/a`, BOTH, 'PUT', { ...body, data: { k: '2' } });
    expect(opened(updated.bytes, 'core/v1.ConfigMap')).toMatchObject({ data: { k: '2' } });
    expect((await ask(server, `${CONFIG_MAPS}/a`, PROTOBUF)).bytes).toEqual(updated.bytes);
    const deleted = await ask(server, `${CONFIG_MAPS}/a`, BOTH, 'DELETE');
    expect(deleted.type).toBe(PROTOBUF);
    expect(opened(deleted.bytes, 'meta/v1.Status')).toMatchObject({ status: 'Success', details: { name: 'a' } });
  });

  it('can be its metadata alone', async () => {
    await using running = await start();
    await put(running.server, 'a', { k: 'v' });
    const { bytes, type } = await ask(running.server, `${CONFIG_MAPS}/a`, PARTIAL);
    expect(type).toBe(PROTOBUF);
    const inJson = json(await ask(running.server, `${CONFIG_MAPS}/a`, PARTIAL.replace(PROTOBUF, 'application/json')));
    expect(opened(bytes, 'meta/v1.PartialObjectMetadata')).toEqual(inJson);
  });

  it('that is not there is a Status in protobuf', async () => {
    await using running = await start();
    const { status, type, bytes } = await ask(running.server, `${CONFIG_MAPS}/a`, PROTOBUF);
    expect([status, type]).toEqual([404, PROTOBUF]);
    expect(opened(bytes, 'meta/v1.Status')).toMatchObject({ reason: 'NotFound', code: 404, details: { name: 'a' } });
  });

  it('is never a Table: the next clause counts, and without one the answer is 406', async () => {
    await using running = await start();
    const table = `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`;
    expect(await ask(running.server, CONFIG_MAPS, table)).toMatchObject({ status: 406, type: 'application/json' });
    expect(await ask(running.server, CONFIG_MAPS, `${table},application/json`)).toMatchObject({
      status: 200,
      type: 'application/json',
    });
  });
});

describe('a list in protobuf', () => {
  it('is the same as in JSON, in pages and as metadata', async () => {
    await using running = await start();
    const { server } = running;
    for (const name of ['a', 'b', 'c']) await put(server, name, { k: name });
    for (const query of ['', '?limit=2', '?labelSelector=app%3Dnone', '?resourceVersion=0']) {
      const { bytes, type } = await ask(server, `${CONFIG_MAPS}${query}`, BOTH);
      expect(type).toBe(PROTOBUF);
      const list = json(await ask(server, `${CONFIG_MAPS}${query}`, 'application/json'));
      expect(withItems(opened(bytes, 'core/v1.ConfigMapList'))).toEqual(list);
    }
    const { bytes } = await ask(server, CONFIG_MAPS, PARTIAL_LIST);
    expect(opened(bytes, 'meta/v1.PartialObjectMetadataList')).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }],
    });
  });

  it.each([undefined, 0, 300_000])(
    'of megabytes has its length in front and is whole, with a budget of %s bytes that it does not exceed',
    async (budget) => {
      await using running = await start(budget);
      const { server } = running;
      const text = 'x'.repeat(100_000);
      for (let index = 0; index < 20; index += 1) await put(server, `large-${index}`, { k: text });
      for (let index = 0; index < 200; index += 1) await put(server, `small-${index}`, { k: 'v' });
      for (let round = 0; round < 2; round += 1) {
        const { bytes, headers } = await ask(server, CONFIG_MAPS, PROTOBUF);
        expect(headers['content-length']).toBe(String(bytes.length));
        const list = json(await ask(server, CONFIG_MAPS, 'application/json'));
        expect(opened(bytes, 'core/v1.ConfigMapList')).toEqual(list);
        expect(await usedBytes(server)).toBeLessThanOrEqual(budget ?? 128 * 2 ** 20);
      }
    },
  );

  it('costs nothing for those who ask for JSON', async () => {
    await using running = await start();
    await put(running.server, 'a', { k: 'v' });
    await ask(running.server, CONFIG_MAPS, 'application/json');
    expect(await usedBytes(running.server)).toBe(0);
    await ask(running.server, CONFIG_MAPS, PROTOBUF);
    const once = await usedBytes(running.server);
    expect(once).toBeGreaterThan(0);
    await ask(running.server, `${CONFIG_MAPS}/a`, PARTIAL);
    await ask(running.server, CONFIG_MAPS, PARTIAL_LIST);
    expect(await usedBytes(running.server)).toBe(once);
  });
});

/** An empty list has no items in protobuf, and no field in the canonical form. */
function withItems(list: Readonly<Record<string, unknown>>): object {
  return { ...list, items: list['items'] ?? [] };
}

describe('a watch in protobuf', () => {
  it('shows the same events as in JSON', async () => {
    await using running = await start();
    const { server } = running;
    await put(server, 'a', { k: 'v' });
    const query = `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0`;
    const watched = ask(server, query, `${PROTOBUF};stream=watch,application/json;stream=watch`);
    const lines = ask(server, query, 'application/json');
    await put(server, 'b', {});
    await loopbackCall(server, 'DELETE', `${CONFIG_MAPS}/a`);
    const { type, bytes } = await watched;
    expect(type).toBe(`${PROTOBUF};stream=watch`);
    const inJson = (await lines).bytes.toString().trim().split('\n');
    expect(events(bytes, 'core/v1.ConfigMap')).toEqual(inJson.map((line): unknown => JSON.parse(line)));
    expect(inJson.length).toBeGreaterThan(3);
  });

  it('can be of metadata', async () => {
    await using running = await start();
    await put(running.server, 'a', { k: 'v' });
    const path = `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&resourceVersion=0`;
    const { bytes } = await ask(running.server, path, PARTIAL);
    expect(events(bytes, 'meta/v1.PartialObjectMetadata')).toMatchObject([
      { type: 'ADDED', object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
    ]);
    expect((await ask(running.server, path, PARTIAL_LIST)).bytes).toHaveLength(0);
  });
});
