import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { denial, PolicyServer } from './policy-server.fixture.ts';

let server: PolicyServer;

beforeAll(async () => {
  server = await PolicyServer.start({ largeWriteBytes: 8 * 1024 });
});

afterAll(() => server[Symbol.asyncDispose]());

function keys(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));
}

const TRIPLES = 'object.data.all(a, object.data.all(b, object.data.all(c, (a + b + c).size() > 0)))';
const PAIRS = 'object.data.all(a, object.data.all(b, (a + b).size() > 0))';

async function moved(): Promise<number> {
  const { body } = await server.http.ask('GET', '/metrics');
  return Number(/^listwatch_policy_evaluations_moved_total (\d+)$/m.exec(body)?.[1]);
}

describe('a large object', () => {
  const large = { data: { ...keys(10), text: 'x'.repeat(20_000) } };

  // The worker starts here: on a busy machine that takes half a minute.
  it('is judged and changed by policies like a small one', { timeout: 120_000 }, async () => {
    const space = await server.namespace();
    await space.validate({
      validations: [{ expression: '!has(object.data.no)', messageExpression: '"no in " + object.metadata.name' }],
    });
    await space.bind({ validationActions: ['Warn'] }, `${space.name}-w`);
    await space.mutate(['Object{data: {"size": string(object.data.text.size())}}']);
    const created = await space.create('a', large);
    expect([created.status, created.body.data.size]).toEqual([201, '20000']);
    const refused = await space.create('b', { data: { ...large.data, no: 'x' } });
    expect(denial(refused)).toEqual([422, 'no in b']);
    expect(refused.headers['warning']).toContain(`with binding '${space.name}-w': no in b`);
  });
});

describe('a policy that costs much', () => {
  it('is evaluated in another thread, with the same answers', async () => {
    const space = await server.namespace();
    await space.validate({
      validations: [
        { expression: PAIRS, message: 'm' },
        { expression: 'object.data.size() < 120', message: 'many' },
      ],
    });
    const before = await moved();
    expect((await space.create('a')).status).toBe(201);
    expect(await moved()).toBe(before);
    expect((await space.create('b', { data: keys(100) })).status).toBe(201);
    expect(denial(await space.create('c', { data: keys(120) }))).toEqual([422, 'many']);
    expect(await moved()).toBe(before + 2);
  });

  it('is stopped there by the limit of an expression', async () => {
    const space = await server.namespace();
    await space.validate({ validations: [{ expression: TRIPLES }] });
    expect(denial(await space.create('a', { data: keys(120) }))).toEqual([
      422,
      `expression '${TRIPLES}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ]);
  });

  it('asks the authorizer and reads parameters from there', async () => {
    const space = await server.namespace();
    const check = 'authorizer.group("").resource("configmaps").namespace("x").check("get").allowed()';
    await space.http.ok('POST', space.configMaps, { metadata: { name: 'p' }, data: { most: '5' } });
    const paramRef = { name: 'p', parameterNotFoundAction: 'Deny' };
    const validations = [
      { expression: `${PAIRS} && ${check} && object.data.size() <= int(params.data.most)`, message: 'm' },
    ];
    await space.validate({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations }, { paramRef });
    expect(denial(await space.create('a', { data: keys(100) }))).toEqual([422, 'm']);
  });

  it('changes the object from there', async () => {
    const space = await server.namespace();
    await space.mutate([`Object{data: {"pairs": string(${PAIRS})}}`, '[JSONPatch{op: "remove", path: "/data/key0"}]']);
    const { status, body } = await space.create('a', { data: keys(100) });
    expect([status, body.data.pairs, body.data.key0, body.data.key1]).toEqual([201, 'true', undefined, 'v']);
    const failing = await server.namespace();
    await failing.mutate([`Object{data: {"pairs": string(${PAIRS} && object.data.nope == "")}}`]);
    const refused = await failing.create('a', { data: keys(100) });
    expect([refused.status, refused.body.reason]).toEqual([403, 'Invalid']);
  });

  it('is compiled there when it is large', async () => {
    const space = await server.namespace();
    const before = await moved();
    const validations = Array.from({ length: 600 }, (_, index) => ({
      expression: `object.data.k != "${index}-${'x'.repeat(20)}"`,
    }));
    await space.validate({ validations: [...validations, { expression: 'false', message: 'last' }] });
    expect(denial(await space.create('a'))).toEqual([422, 'last']);
    expect(await moved()).toBe(before + 1);
  });

  it('is compiled there when the policies of the write are large together, and here for the next write', async () => {
    const space = await server.namespace();
    const validations = [{ expression: `object.data.k != "${'x'.repeat(10_000)}"` }];
    await space.validate({ validations });
    await space.put('validatingadmissionpolicies', `${space.name}-2`, {
      matchConstraints: space.matching(),
      validations: [...validations, { expression: 'object.data.k == "v"', message: 'second' }],
    });
    await space.bind({ policyName: `${space.name}-2`, validationActions: ['Deny'] }, `${space.name}-b2`);
    const before = await moved();
    expect((await space.create('a')).status).toBe(201);
    expect(await moved()).toBe(before + 1);
    expect(denial(await space.create('b', { data: { k: 'w' } }))).toEqual([422, 'second']);
    expect(await moved()).toBe(before + 1);
  });

  it('reads large parameters there', async () => {
    const space = await server.namespace();
    const data = { most: '5', text: 'x'.repeat(300_000) };
    await space.http.ok('POST', space.configMaps, { metadata: { name: 'p' }, data });
    const validations = [{ expression: 'object.data.size() <= int(params.data.most)', message: 'm' }];
    const paramRef = { name: 'p', parameterNotFoundAction: 'Deny' };
    await space.validate({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations }, { paramRef });
    const before = await moved();
    expect(denial(await space.create('a', { data: keys(6) }))).toEqual([422, 'm']);
    expect(await moved()).toBe(before + 1);
  });
});
