import { describe, expect, test } from 'vitest';
import { parseRequestPath } from './request-path.ts';
import { requestVerb } from './request-verb.ts';

const OBJECT = '/api/v1/nodes/n';
const COLLECTION = '/api/v1/nodes';

describe('the verb of a request', () => {
  test.each([
    ['GET', OBJECT, false, 'get'],
    ['HEAD', OBJECT, false, 'get'],
    ['GET', COLLECTION, false, 'list'],
    ['GET', COLLECTION, true, 'watch'],
    ['HEAD', COLLECTION, false, 'list'],
    // The parameter means nothing for one object.
    ['GET', OBJECT, true, 'get'],
    ['POST', COLLECTION, false, 'create'],
    ['POST', COLLECTION, true, 'create'],
    ['PUT', OBJECT, false, 'update'],
    ['PATCH', OBJECT, false, 'patch'],
    ['DELETE', OBJECT, false, 'delete'],
    ['DELETE', COLLECTION, false, 'deletecollection'],
    ['GET', '/api/v1/watch/nodes', false, 'watch'],
    ['GET', '/api/v1/watch/nodes/n', false, 'watch'],
    ['POST', '/api/v1/proxy/nodes/n', false, 'proxy'],
    ['OPTIONS', COLLECTION, false, undefined],
    ['constructor', COLLECTION, false, undefined],
  ])('%s %s watch=%s is %s', (method, path, watch, verb) => {
    const parsed = parseRequestPath(path);
    if (parsed.type !== 'resource') throw new Error(`${path} is no resource`);
    expect(requestVerb(method, parsed, watch)).toBe(verb);
  });
});
