import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { CRDS, CustomServer, LIMIT, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';

const OBJECTS = 1000;
/** Fewer than the in-flight limit. */
const CLIENTS = 100;

describe('a definition that is deleted while 1 000 objects are created', () => {
  it('takes every one of them with it, and its successor starts empty', async () => {
    const engine = createMemoryEngine();
    const server = await CustomServer.start({ engine });
    const group = 'load.example.com';
    await server.install(widgets(group));
    const answers = new Map<number, number>();
    let next = 0;
    const client = async (): Promise<void> => {
      for (let index = next++; index < OBJECTS; index = next++) {
        const { status } = await server.ask('POST', pathOf(group), widget(group, `w${index}`, { spec: { n: index } }));
        answers.set(status, (answers.get(status) ?? 0) + 1);
        // In the middle of the others.
        if (index === OBJECTS / 2) await server.ok('DELETE', `${CRDS}/widgets.${group}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await server.gone(`widgets.${group}`);
    expect([...answers.keys()].toSorted((one, other) => one - other)).toEqual([201, 403]);
    const left = await engine.range(`/registry/${group}/`);
    expect(left.entries).toEqual([]);
    await server.install(widgets(group));
    expect((await server.ok('GET', pathOf(group))).items).toEqual([]);
    expect((await server.ask('POST', pathOf(group), widget(group, 'w1'))).status).toBe(201);
    await server[Symbol.asyncDispose]();
  });

  it('ends the watches that run, and those of its successor see only its own objects', async () => {
    const server = await CustomServer.start();
    const group = 'scope.example.com';
    await server.install(widgets(group));
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { a: 'x' } }));
    const watches = await Promise.all(Array.from({ length: 200 }, () => server.watch(pathOf(group))));
    await server.uninstall(`widgets.${group}`);
    await vi.waitFor(() => expect(watches.filter(({ isEnded }) => !isEnded)).toEqual([]), LIMIT);
    for (const { events } of watches) expect(events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    const schema = { openAPIV3Schema: specSchema({ b: { type: 'integer' } }) };
    await server.install(widgets(group, { schema }, { scope: 'Cluster' }));
    const path = `/apis/${group}/v1/widgets`;
    const watch = await server.watch(path);
    await server.ok('POST', path, widget(group, 'w', { spec: { a: 'x', b: 1 } }));
    await vi.waitFor(() => expect(watch.events).toHaveLength(1), LIMIT);
    expect(watch.events).toMatchObject([{ type: 'ADDED', object: { spec: { b: 1 } } }]);
    expect(watch.events[0]?.object.metadata.namespace).toBeUndefined();
    expect((await server.ask('GET', pathOf(group))).status).toBe(404);
    watch.stop();
    await server[Symbol.asyncDispose]();
  });
});
