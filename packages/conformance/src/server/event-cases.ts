/** Events: one set of objects, seen through two groups. */

import { expect } from 'vitest';
import type { ServerSection } from './server-suite.ts';
import { expectStatus } from './server-test.ts';
import { eventText } from './watch-lines.ts';

export const eventCases: ServerSection = {
  title: 'Events',
  cases: [
    {
      title: 'an event of the core group is read, listed and watched through events.k8s.io in its words',
      run: async (test) => {
        await test.open();
        const { core, events } = paths(test.namespace);
        const stream = await test.watch({ resourceVersion: await newest(test) }, { path: events });
        const { version } = expectStatus(
          await test.client.request('POST', core, { body: coreEvent(test.namespace) }),
          201,
        );
        const shown = {
          apiVersion: 'events.k8s.io/v1',
          metadata: { name: 'a', resourceVersion: version },
          regarding: { kind: 'Pod', name: 'p' },
          note: 'hello',
          deprecatedCount: 3,
          deprecatedSource: { component: 'kubelet' },
        };
        const { document } = expectStatus(await test.client.get(`${events}/a`), 200);
        expect(document).toMatchObject(shown);
        expect(document).not.toHaveProperty('involvedObject');
        expect(document).not.toHaveProperty('message');
        const [event] = await stream.take(1);
        expect(event).toMatchObject({ type: 'ADDED', object: shown });
        const { apiVersion: _, ...item } = shown;
        const query = { fieldSelector: 'regarding.name=p' };
        expect((await test.client.get(events, query)).document.items).toMatchObject([item]);
      },
    },
    {
      title: 'an event of events.k8s.io is changed and deleted through the core group',
      run: async (test) => {
        await test.open();
        const { core, events } = paths(test.namespace);
        expectStatus(await test.client.request('POST', events, { body: newEvent(test.namespace) }), 201);
        expectStatus(await test.client.request('POST', core, { body: coreEvent(test.namespace) }), 409);
        const { document } = expectStatus(await test.client.get(`${core}/a`), 200);
        expect(document).toMatchObject({
          apiVersion: 'v1',
          involvedObject: { kind: 'Pod', name: 'p' },
          message: 'hello',
          reportingComponent: 'example.com/c',
        });
        const stream = await test.watch({ resourceVersion: document.metadata?.resourceVersion }, { path: events });
        const patch = { body: { message: 'again' }, headers: { 'content-type': 'application/merge-patch+json' } };
        expectStatus(await test.client.request('PATCH', `${core}/a`, patch), 200);
        expect((await test.client.get(`${events}/a`)).document).toMatchObject({
          note: 'again',
          reportingController: 'example.com/c',
        });
        expectStatus(await test.client.request('DELETE', `${core}/a`), 200);
        expect((await stream.take(2)).map(eventText)).toEqual(['MODIFIED a', 'DELETED a']);
        expectStatus(await test.client.get(`${events}/a`), 404);
      },
    },
  ],
};

function paths(namespace: string): { readonly core: string; readonly events: string } {
  return {
    core: `/api/v1/namespaces/${namespace}/events`,
    events: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
  };
}

async function newest(test: Parameters<ServerSection['cases'][number]['run']>[0]): Promise<string> {
  return (await test.list()).version;
}

function coreEvent(namespace: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a' },
    involvedObject: { kind: 'Pod', namespace, name: 'p' },
    reason: 'Because',
    message: 'hello',
    type: 'Normal',
    source: { component: 'kubelet' },
    count: 3,
  };
}

function newEvent(namespace: string): object {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'a' },
    eventTime: '2024-01-01T00:00:00.000000Z',
    regarding: { kind: 'Pod', namespace, name: 'p' },
    reason: 'Because',
    note: 'hello',
    action: 'Act',
    type: 'Normal',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
  };
}
