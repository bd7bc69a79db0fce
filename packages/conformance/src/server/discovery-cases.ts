/** Discovery: the documents by which clients find kinds. */

import { expect } from 'vitest';
import type { ServerSection } from './server-suite.ts';
import { expectStatus } from './server-test.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export const discoveryCases: ServerSection = {
  title: 'discovery',
  cases: [
    {
      title: '/api names the versions of the core, /apis the groups, and a group its preferred version',
      run: async (test) => {
        const core = expectStatus(await test.client.get('/api'), 200).document;
        expect(core).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
        const groups = expectStatus(await test.client.get('/apis'), 200).document;
        expect(groups).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
        const apps = { name: 'apps', preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } };
        expect(groups['groups']).toContainEqual(expect.objectContaining(apps));
        const group = expectStatus(await test.client.get('/apis/apps'), 200).document;
        expect(group).toMatchObject({ kind: 'APIGroup', ...apps });
      },
    },
    {
      title: 'a version lists its resources with their verbs and short names',
      run: async (test) => {
        const { document } = expectStatus(await test.client.get('/api/v1'), 200);
        expect(document).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
        expect(document['resources']).toContainEqual(
          expect.objectContaining({
            name: 'configmaps',
            singularName: 'configmap',
            namespaced: true,
            kind: 'ConfigMap',
            verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
            shortNames: ['cm'],
          }),
        );
        const apps = expectStatus(await test.client.get('/apis/apps/v1'), 200).document;
        expect(apps).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
        expect(apps['resources']).toContainEqual(expect.objectContaining({ name: 'deployments', kind: 'Deployment' }));
      },
    },
    {
      title: 'aggregated discovery shows everything at once, with an ETag that saves the next answer',
      run: async (test) => {
        const accept = `${AGGREGATED},application/json`;
        for (const [path, resource] of [
          ['/api', 'configmaps'],
          ['/apis', 'deployments'],
        ] as const) {
          const answer = expectStatus(await test.client.get(path, {}, { headers: { accept } }), 200);
          expect(answer.headers['content-type']).toBe(AGGREGATED);
          expect(answer.document).toMatchObject({
            kind: 'APIGroupDiscoveryList',
            apiVersion: 'apidiscovery.k8s.io/v2',
          });
          expect(answer.text).toContain(`"resource":"${resource}"`);
          const etag = String(answer.headers.etag);
          expect(etag).toMatch(/^"[\dA-F]{128}"$/u);
          const again = await test.client.get(path, {}, { headers: { accept, 'if-none-match': etag } });
          expect([again.status, again.text]).toEqual([304, '']);
        }
      },
    },
  ],
};
