import { describe, expect, it } from 'vitest';
import { parseRoute } from './parse-route.ts';
import { parseTarget } from './request-target.ts';

function route(method: string, target: string): ReturnType<typeof parseRoute> {
  const parsed = parseTarget(target);
  if (parsed === undefined) throw new Error(target);
  return parseRoute(method, parsed);
}

describe('the verb and the limit of a request', () => {
  it.each([
    ['GET', '/api/v1/namespaces/a/pods', 'list', 'read'],
    ['GET', '/api/v1/namespaces/a/pods?watch=true', 'watch', 'watch'],
    ['GET', '/api/v1/namespaces/a/pods?watch', 'watch', 'watch'],
    ['GET', '/api/v1/namespaces/a/pods?watch=false', 'list', 'read'],
    ['GET', '/api/v1/namespaces/a/pods/x?watch=true', 'get', 'read'],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', 'watch', 'watch'],
    ['GET', '/api/v1/watch/namespaces/a/pods', 'watch', 'watch'],
    ['HEAD', '/api/v1/namespaces/a/pods/x', 'get', 'read'],
    ['POST', '/api/v1/namespaces/a/pods', 'create', 'mutating'],
    ['PUT', '/api/v1/namespaces/a/pods/x', 'update', 'mutating'],
    ['PATCH', '/api/v1/namespaces/a/pods/x', 'patch', 'mutating'],
    ['DELETE', '/api/v1/namespaces/a/pods/x', 'delete', 'mutating'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection', 'mutating'],
    ['OPTIONS', '/api/v1/namespaces', '', 'mutating'],
    ['GET', '/healthz', 'get', 'read'],
    ['POST', '/healthz', 'post', 'mutating'],
    ['GET', '/api/v1?watch=true', 'get', 'read'],
  ])('%s %s: %s, %s', (method, target, verb, kind) => {
    expect(route(method, target)).toMatchObject({ verb, kind });
  });
});

describe('the name that is authorized', () => {
  it.each([
    ['GET', '/api/v1/nodes/n', 'n'],
    ['GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn', 'n'],
    ['GET', '/api/v1/nodes?watch=1&fieldSelector=metadata.name%3Dn', 'n'],
    ['GET', '/api/v1/nodes?fieldSelector=metadata.name!%3Dn', ''],
    ['GET', '/api/v1/nodes?fieldSelector=metadata.name%3D..', ''],
    ['GET', '/api/v1/nodes?fieldSelector=%3D%3D%3D', ''],
    ['GET', '/api/v1/watch/nodes?fieldSelector=metadata.name%3Dn', ''],
    ['DELETE', '/api/v1/nodes?fieldSelector=metadata.name%3Dn', ''],
    ['GET', '/healthz', ''],
  ])('%s %s: %j', (method, target, name) => {
    expect(route(method, target).name).toBe(name);
  });
});
