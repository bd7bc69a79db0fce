/** Delete and deletecollection, on ConfigMaps. */

import { expect } from 'vitest';
import type { Answer } from './server-answer.ts';
import type { ServerSection } from './server-suite.ts';
import { configMap, expectStatus, type ServerTest } from './server-test.ts';

function remove(test: ServerTest, path: string, body?: unknown, query = {}): Promise<Answer> {
  return test.client.request('DELETE', path, { body, query });
}

export const deleteCases: ServerSection = {
  title: 'delete',
  cases: [
    {
      title: 'a delete answers with success and the uid; the object is gone, a second delete is 404',
      run: async (test) => {
        const { metadata } = expectStatus(await test.create('a'), 201).document;
        const { document } = expectStatus(await remove(test, `${test.configMaps}/a`), 200);
        expect(document).toMatchObject({
          kind: 'Status',
          status: 'Success',
          details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
        });
        expect((await test.client.get(`${test.configMaps}/a`)).status).toBe(404);
        expect((await remove(test, `${test.configMaps}/a`)).status).toBe(404);
      },
    },
    {
      title: 'a delete with preconditions is 409 when uid or version is another',
      run: async (test) => {
        const { metadata } = expectStatus(await test.create('a'), 201).document;
        const path = `${test.configMaps}/a`;
        const wrongUid = expectStatus(await remove(test, path, { preconditions: { uid: 'x' } }), 409).document;
        expect(wrongUid.message).toContain('the UID in the precondition (x) does not match the UID in record');
        expect((await remove(test, path, { preconditions: { resourceVersion: '1' } })).status).toBe(409);
        const { uid, resourceVersion } = metadata;
        expect((await remove(test, path, { preconditions: { uid, resourceVersion } })).status).toBe(200);
      },
    },
    {
      title: 'an object with a finalizer stays, marked, until the last finalizer is taken away',
      run: async (test) => {
        await test.create('a', { metadata: { finalizers: ['example.com/wait'] } });
        const path = `${test.configMaps}/a`;
        const marked = expectStatus(await remove(test, path), 200).document;
        expect(marked).toMatchObject({
          kind: 'ConfigMap',
          metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 },
        });
        const again = expectStatus(await test.create('a'), 409).document;
        expect(again.message).toBe('object is being deleted: configmaps "a" already exists');
        const more = configMap('a', { metadata: { finalizers: ['example.com/wait', 'example.com/new'] } });
        expect((await test.client.request('PUT', path, { body: more })).status).toBe(422);
        expect((await test.client.get(path)).status).toBe(200);
        const free = configMap('a', { metadata: { finalizers: [] } });
        expect((await test.client.request('PUT', path, { body: free })).status).toBe(200);
        expect((await test.client.get(path)).status).toBe(404);
      },
    },
    {
      title: 'the foreground and the orphan policy add their finalizers; both words at once are 422',
      run: async (test) => {
        for (const [propagationPolicy, finalizer] of [
          ['Foreground', 'foregroundDeletion'],
          ['Orphan', 'orphan'],
        ] as const) {
          const name = propagationPolicy.toLowerCase();
          await test.create(name);
          const { document } = expectStatus(
            await remove(test, `${test.configMaps}/${name}`, { propagationPolicy }),
            200,
          );
          expect(document.metadata).toMatchObject({ finalizers: [finalizer], deletionTimestamp: expect.any(String) });
        }
        await test.create('a');
        const both = { propagationPolicy: 'Orphan', orphanDependents: true };
        expect((await remove(test, `${test.configMaps}/a`, both)).status).toBe(422);
      },
    },
    {
      title: 'a dry run deletes nothing, and options that cannot be read are 400 or 422',
      run: async (test) => {
        await test.create('a');
        const path = `${test.configMaps}/a`;
        expect(expectStatus(await remove(test, path, undefined, { dryRun: 'All' }), 200).document['status']).toBe(
          'Success',
        );
        expect((await remove(test, path, undefined, { dryRun: 'x' })).status).toBe(422);
        expect((await remove(test, path, '{"kind":')).status).toBe(400);
        expect((await remove(test, path, { propagationPolicy: 'Bogus' })).status).toBe(422);
        expect((await test.client.get(path)).status).toBe(200);
      },
    },
    {
      title: 'a deletecollection removes what is selected and answers with the list of it',
      run: async (test) => {
        for (const [name, app] of [
          ['a', 'web'],
          ['b', 'db'],
          ['c', 'web'],
        ] as const) {
          await test.create(name, { metadata: { labels: { app } } });
        }
        const selected = expectStatus(
          await remove(test, test.configMaps, undefined, { labelSelector: 'app=web' }),
          200,
        );
        expect([selected.document.kind, selected.names]).toEqual(['ConfigMapList', ['a', 'c']]);
        const left = await test.client.get(test.configMaps, { labelSelector: 'app' });
        expect(left.names).toEqual(['b']);
      },
    },
    {
      title: 'a deletecollection that is a dry run, selects nothing or cannot be read removes nothing',
      run: async (test) => {
        await test.create('a', { metadata: { labels: { app: 'web' } } });
        const query = { labelSelector: 'app=web' };
        expectStatus(await remove(test, test.configMaps, undefined, { ...query, dryRun: 'All' }), 200);
        expectStatus(await remove(test, test.configMaps, undefined, { labelSelector: 'app=other' }), 200);
        expectStatus(await remove(test, test.configMaps, undefined, { labelSelector: 'a=b=c' }), 400);
        expect((await test.client.get(test.configMaps, query)).names).toEqual(['a']);
      },
    },
    {
      title: 'a namespace that is deleted is Terminating, takes nothing new, and default cannot be deleted',
      run: async (test) => {
        await test.open();
        const path = `/api/v1/namespaces/${test.namespace}`;
        const { document } = expectStatus(await remove(test, path), 200);
        expect(document).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
        const late = await test.create('late');
        expect([403, 404]).toContain(late.status);
        if (late.status === 403) {
          expect(late.document).toMatchObject({ details: { causes: [{ reason: 'NamespaceTerminating' }] } });
        }
        const kept = expectStatus(await remove(test, '/api/v1/namespaces/default'), 403).document;
        expect(kept.message).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
      },
    },
  ],
};
