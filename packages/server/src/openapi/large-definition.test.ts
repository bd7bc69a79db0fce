import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CustomServer, specSchema, widgets } from '../crd/custom-server.fixture.ts';
import type { Asked } from '../start/in-process-server.fixture.ts';

const GROUP = 'large.example.com';
const VERSION_2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const VERSION_3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
const DOCUMENTS = [
  ['/openapi/v2', 'application/json'],
  ['/openapi/v2', VERSION_2],
  [`/openapi/v3/apis/${GROUP}/v1`, 'application/json'],
  [`/openapi/v3/apis/${GROUP}/v1`, VERSION_3],
] as const;

/** Makes components on the main thread. */
let here: CustomServer;
/** Makes those of large definitions in its worker. */
let there: CustomServer;

/** A definition of 150 KB: many properties, a long list, an integer that no double holds. */
function largeDefinition(): string {
  const names = Array.from({ length: 1500 }, (_, index) => `value-${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: 'Something.' }]));
  const long = { type: 'integer', format: 'int64', default: 'LONG' };
  const schema = { openAPIV3Schema: specSchema({ ...properties, many: { type: 'string', enum: names }, long }) };
  return JSON.stringify(widgets(GROUP, { schema, subresources: { status: {} } })).replace('"LONG"', '9007199254740993');
}

beforeAll(async () => {
  [here, there] = await Promise.all([CustomServer.start({ largeWriteBytes: Infinity }), CustomServer.start()]);
  for (const server of [here, there]) {
    await server.ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', largeDefinition());
    await server.established(`widgets.${GROUP}`);
  }
});

afterAll(async () => {
  await Promise.all([here[Symbol.asyncDispose](), there[Symbol.asyncDispose]()]);
});

const jobsDone = async (): Promise<number> => {
  const { body } = await there.ask('GET', '/metrics');
  return Number(/^listwatch_compute_jobs_total\{end="done"\} (\d+)/mu.exec(body)?.[1]);
};

describe('the document of a definition above 64 KiB', () => {
  it.each(DOCUMENTS)('at %s as %s has its component from the worker, and is the same', async (path, accept) => {
    const before = await jobsDone();
    const seen = ({ status, headers, body }: Asked): object => {
      // The hash of a document of version 3 is made of the definition, which has another uid in each server.
      return path === '/openapi/v2' ? { status, etag: headers['etag'], body } : { status, body };
    };
    const expected = seen(await here.ask('GET', path, undefined, { accept }));
    expect(expected).toMatchObject({ status: 200 });
    expect(seen(await there.ask('GET', path, undefined, { accept }))).toEqual(expected);
    expect(await jobsDone()).toBe(before + 1);
  });

  it('keeps integers that a double cannot hold', async () => {
    for (const server of [here, there]) {
      const response = await server.server.handle(
        { method: 'GET', path: `/openapi/v3/apis/${GROUP}/v1`, headers: {}, body: undefined },
        { user: { name: 'ada', groups: ['system:masters'] } },
      );
      const parts: Uint8Array[] = [];
      for await (const part of response.body) parts.push(Buffer.from(part));
      expect(Buffer.concat(parts).toString()).toContain('"default":9007199254740993');
    }
  });
});
