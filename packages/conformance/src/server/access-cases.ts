/** Who may, and paths that lead nowhere: 401, 403, 404, 405, and the doors for everybody. */

import { expect } from 'vitest';
import { PROTOCOLS } from './api-client.ts';
import type { ServerSection } from './server-suite.ts';
import { expectStatus } from './server-test.ts';

const NOT_FOUND = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
} as const;

export const accessCases: ServerSection = {
  title: 'access and paths',
  cases: [
    {
      title: 'a wrong token is 401 with a Status, over HTTP/1.1 and HTTP/2, and refuses a WebSocket',
      run: async (test) => {
        const headers = { authorization: 'Bearer wrong' };
        for (const protocol of PROTOCOLS) {
          const { document } = expectStatus(await test.client.get(test.secrets, {}, { headers, protocol }), 401);
          expect(document).toEqual({
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: 'Unauthorized',
            reason: 'Unauthorized',
            code: 401,
          });
        }
        await expect(test.watch({}, { transport: 'websocket', headers })).rejects.toThrow(/401/u);
      },
    },
    {
      title: 'nobody in particular may read no objects: 403 says who, what and where',
      run: async (test) => {
        const headers = { authorization: undefined };
        const path = '/api/v1/namespaces/default/configmaps';
        const { document } = expectStatus(await test.client.get(path, {}, { headers }), 403);
        expect(document).toMatchObject({
          kind: 'Status',
          reason: 'Forbidden',
          message:
            'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
          details: { kind: 'configmaps' },
        });
      },
    },
    {
      title: 'an answer names the FlowSchema and the priority level of its user, also when it refuses or finds nothing',
      run: async (test) => {
        const flows = '/apis/flowcontrol.apiserver.k8s.io/v1';
        const uidOf = async (path: string): Promise<unknown> =>
          expectStatus(await test.client.get(`${flows}/${path}`), 200).document.metadata.uid;
        const exempt = [await uidOf('flowschemas/exempt'), await uidOf('prioritylevelconfigurations/exempt')];
        const anybody = [
          await uidOf('flowschemas/global-default'),
          await uidOf('prioritylevelconfigurations/global-default'),
        ];
        const named = async (path: string, headers = {}): Promise<readonly unknown[]> => {
          const answer = await test.client.get(path, {}, { headers });
          return ['flowschema', 'prioritylevel'].map((what) => answer.headers[`x-kubernetes-pf-${what}-uid`]);
        };
        expect(await named(test.secrets)).toEqual(exempt);
        expect(await named('/api/v1/nope')).toEqual(exempt);
        expect(await named(test.secrets, { authorization: undefined })).toEqual(anybody);
        expect(await named(test.secrets, { authorization: 'Bearer wrong' })).toEqual([undefined, undefined]);
      },
    },
    {
      title: 'health and version are open to everybody',
      run: async (test) => {
        const headers = { authorization: undefined };
        for (const path of ['/healthz', '/livez', '/readyz']) {
          const answer = await test.client.get(path, {}, { headers });
          expect([answer.status, answer.text]).toEqual([200, 'ok']);
        }
        const version = expectStatus(await test.client.get('/version', {}, { headers }), 200).document;
        expect(version).toMatchObject({
          major: expect.stringMatching(/^\d+$/u),
          gitVersion: expect.stringMatching(/^v\d/u),
        });
        const verbose = await test.client.get('/livez', { verbose: '' });
        expect(verbose.text).toContain('[+]ping ok');
      },
    },
    {
      title: 'an unknown resource of a known group is a 404 Status, an unknown group or path plain text',
      run: async (test) => {
        for (const path of [
          '/api/v1/unknowns',
          '/apis/apps/v1/unknowns',
          '/api/v1/namespaces/default/configmaps/x/status',
          '/api/v9',
        ]) {
          for (const method of ['GET', 'POST', 'DELETE']) {
            const answer = await test.client.request(method, path);
            expect([path, answer.status, answer.document]).toEqual([path, 404, NOT_FOUND]);
          }
        }
        for (const path of ['/apis/nope.io', '/apis/nope.io/v1/things', '/nope']) {
          const answer = await test.client.get(path);
          expect([path, answer.status, answer.text]).toEqual([path, 404, '404 page not found\n']);
          expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
        }
      },
    },
    {
      title: 'a method that a path does not have is 405 with a Status',
      run: async (test) => {
        for (const [method, path] of [
          ['PUT', test.configMaps],
          ['PATCH', test.configMaps],
          ['POST', `${test.configMaps}/a`],
          ['OPTIONS', test.configMaps],
        ] as const) {
          const answer = await test.client.request(method, path);
          expect([method, answer.status, answer.document]).toEqual([
            method,
            405,
            {
              kind: 'Status',
              apiVersion: 'v1',
              metadata: {},
              status: 'Failure',
              message: 'the server does not allow this method on the requested resource',
              reason: 'MethodNotAllowed',
              details: {},
              code: 405,
            },
          ]);
        }
      },
    },
  ],
};
