import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { CRDS, CustomServer, LIMIT, MERGE, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';

it('a kind that comes and goes while others list, watch and write leaves nothing behind', async () => {
  const server = await CustomServer.start();
  const group = 'flapping.example.com';
  const name = `widgets.${group}`;
  const test = { isOver: false };
  const statuses = new Set<number>();
  const clients = [
    ['GET', pathOf(group)],
    ['POST', pathOf(group)],
    ['GET', `/apis/${group}/v1`],
    ['GET', pathOf(group, '/x')],
  ].map(async ([method = '', path = '']) => {
    for (let index = 0; !test.isOver; index += 1) {
      const body = method === 'POST' ? widget(group, `w${index}`, { spec: { a: 'x' } }) : undefined;
      statuses.add((await server.ask(method, path, body)).status);
      await setImmediate();
    }
  });
  const watcher = (async () => {
    while (!test.isOver) {
      const watch = await server.watch(pathOf(group));
      await vi.waitFor(() => expect(watch.isEnded || test.isOver).toBe(true), LIMIT);
      watch.stop();
      await setImmediate();
    }
  })();
  for (let round = 0; round < 8; round += 1) {
    await server.install(widgets(group));
    await server.uninstall(name);
  }
  test.isOver = true;
  await Promise.all([...clients, watcher]);
  // 409: the name of an object that was created before; 429: the cache is being loaded.
  for (const status of statuses) expect([200, 201, 403, 404, 409, 429]).toContain(status);
  await server.install(widgets(group));
  expect((await server.ok('GET', pathOf(group))).items).toEqual([]);
  await server[Symbol.asyncDispose]();
}, 60_000);

it('a schema that changes in the middle of updates loses none of them', async () => {
  const server = await CustomServer.start();
  const group = 'changing.example.com';
  await server.install(widgets(group));
  await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { n: 0 } }));
  const updates = (async () => {
    for (let n = 1; n <= 50; n += 1) await server.ok('PATCH', pathOf(group, '/w'), { spec: { n } }, MERGE);
  })();
  for (let round = 0; round < 10; round += 1) {
    const properties = { n: { type: 'integer' }, [`f${round}`]: { type: 'string' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: specSchema(properties) } }];
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
  }
  await updates;
  expect(await server.ok('GET', pathOf(group, '/w'))).toMatchObject({ spec: { n: 50 }, metadata: { generation: 51 } });
  await server[Symbol.asyncDispose]();
}, 60_000);

it('hundreds of kinds that are created at once are all served', async () => {
  const server = await CustomServer.start();
  const groups = Array.from({ length: 100 }, (_, index) => `many${index}.example.com`);
  await Promise.all(groups.map((group) => server.ok('POST', CRDS, widgets(group))));
  for (const group of [groups[0] ?? '', groups.at(-1) ?? '']) {
    await server.established(`widgets.${group}`);
    expect((await server.ask('POST', pathOf(group), widget(group, 'w'))).status).toBe(201);
  }
  const list = await server.ok('GET', '/apis');
  await vi.waitFor(async () => expect((await server.ok('GET', '/apis')).groups.length).toBeGreaterThan(100), LIMIT);
  expect(list.kind).toBe('APIGroupList');
  await server[Symbol.asyncDispose]();
}, 60_000);
