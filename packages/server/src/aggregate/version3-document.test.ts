import { expect, it } from 'vitest';
import { version3Document } from './version3-document.ts';

const TYPES = ['application/json', 'application/yaml'];

it('parameters, bodies, responses and references of version 2 are those of version 3', () => {
  const document = {
    info: { title: 'Things', version: 'v1' },
    produces: TYPES,
    paths: {
      '/apis/g/v1/things/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, type: 'string', uniqueItems: true }],
        put: {
          operationId: 'replaceThing',
          consumes: ['*/*'],
          'x-kubernetes-action': 'put',
          parameters: [
            { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/a.Thing' } },
            { name: 'dryRun', in: 'query', type: 'string' },
          ],
          responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/a.Thing' } }, 401: {} },
        },
      },
      '/apis/other/v1/x': { get: {} },
    },
    definitions: {
      'a.Thing': { type: 'object', properties: { parts: { items: { $ref: '#/definitions/a.Part' } } } },
      'a.Part': { type: 'string' },
      'a.Unused': {},
    },
  };
  const thing = { $ref: '#/components/schemas/a.Thing' };
  expect(version3Document({ prefix: '/apis/g/v1/', document })).toEqual({
    openapi: '3.0.0',
    info: { title: 'Things', version: 'v1' },
    paths: {
      '/apis/g/v1/things/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string', uniqueItems: true } }],
        put: {
          operationId: 'replaceThing',
          'x-kubernetes-action': 'put',
          parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'string' } }],
          requestBody: { required: true, content: { '*/*': { schema: thing } } },
          responses: {
            200: {
              description: 'OK',
              content: { 'application/json': { schema: thing }, 'application/yaml': { schema: thing } },
            },
            401: { description: '' },
          },
        },
      },
    },
    components: {
      schemas: {
        'a.Part': { type: 'string' },
        'a.Thing': { type: 'object', properties: { parts: { items: { $ref: '#/components/schemas/a.Part' } } } },
      },
    },
  });
});

it('what is no document of version 2 gives an empty one', () => {
  const document = { paths: { '/apis/g/v1/a': 'text', '/apis/g/v1/b': { get: { responses: 7, parameters: 'x' } } } };
  expect(version3Document({ prefix: '/apis/g/v1/', document })['paths']).toEqual({
    '/apis/g/v1/a': {},
    '/apis/g/v1/b': { get: { responses: {} } },
  });
});
