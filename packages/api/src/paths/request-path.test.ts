import { describe, expect, test } from 'vitest';
import { parseRequestPath, type ResourceRequestPath } from './request-path.ts';

const CORE: ResourceRequestPath = {
  type: 'resource',
  group: '',
  version: 'v1',
  prefix: undefined,
  namespace: '',
  belowNamespace: false,
  resource: '',
  name: '',
  subresource: '',
  parts: [],
};
const APPS: ResourceRequestPath = { ...CORE, group: 'apps' };

describe('paths under which objects live', () => {
  test.each<[string, ResourceRequestPath]>([
    ['/api/v1/pods', { ...CORE, resource: 'pods', parts: ['pods'] }],
    ['/api/v1/pods/', { ...CORE, resource: 'pods', parts: ['pods'] }],
    ['api/v1/pods', { ...CORE, resource: 'pods', parts: ['pods'] }],
    ['/api/v1/nodes/n', { ...CORE, resource: 'nodes', name: 'n', parts: ['nodes', 'n'] }],
    ['/api/v1/namespaces', { ...CORE, resource: 'namespaces', parts: ['namespaces'] }],
    [
      '/api/v1/namespaces/a',
      { ...CORE, namespace: 'a', resource: 'namespaces', name: 'a', parts: ['namespaces', 'a'] },
    ],
    [
      '/api/v1/namespaces/a/status',
      {
        ...CORE,
        namespace: 'a',
        resource: 'namespaces',
        name: 'a',
        subresource: 'status',
        parts: ['namespaces', 'a', 'status'],
      },
    ],
    [
      '/api/v1/namespaces/a/finalize',
      {
        ...CORE,
        namespace: 'a',
        resource: 'namespaces',
        name: 'a',
        subresource: 'finalize',
        parts: ['namespaces', 'a', 'finalize'],
      },
    ],
    ['/api/v1/namespaces/a/pods', { ...CORE, namespace: 'a', belowNamespace: true, resource: 'pods', parts: ['pods'] }],
    [
      '/api/v1/namespaces/a/pods/x',
      { ...CORE, namespace: 'a', belowNamespace: true, resource: 'pods', name: 'x', parts: ['pods', 'x'] },
    ],
    [
      '/api/v1/namespaces/a/pods/x/log',
      {
        ...CORE,
        namespace: 'a',
        belowNamespace: true,
        resource: 'pods',
        name: 'x',
        subresource: 'log',
        parts: ['pods', 'x', 'log'],
      },
    ],
    [
      '/api/v1/namespaces/a/pods/x/proxy/some/where',
      {
        ...CORE,
        namespace: 'a',
        belowNamespace: true,
        resource: 'pods',
        name: 'x',
        subresource: 'proxy',
        parts: ['pods', 'x', 'proxy', 'some', 'where'],
      },
    ],
    ['/apis/apps/v1/deployments', { ...APPS, resource: 'deployments', parts: ['deployments'] }],
    [
      '/apis/apps/v1/namespaces/a/deployments/x/scale',
      {
        ...APPS,
        namespace: 'a',
        belowNamespace: true,
        resource: 'deployments',
        name: 'x',
        subresource: 'scale',
        parts: ['deployments', 'x', 'scale'],
      },
    ],
    ['/api/v1/watch/pods', { ...CORE, prefix: 'watch', resource: 'pods', parts: ['pods'] }],
    [
      '/api/v1/watch/namespaces/a/pods/x',
      {
        ...CORE,
        prefix: 'watch',
        namespace: 'a',
        belowNamespace: true,
        resource: 'pods',
        name: 'x',
        parts: ['pods', 'x'],
      },
    ],
    ['/apis/apps/v1/watch/deployments', { ...APPS, prefix: 'watch', resource: 'deployments', parts: ['deployments'] }],
    [
      '/api/v1/proxy/namespaces/a/pods/x/healthz',
      {
        ...CORE,
        prefix: 'proxy',
        namespace: 'a',
        belowNamespace: true,
        resource: 'pods',
        name: 'x',
        parts: ['pods', 'x', 'healthz'],
      },
    ],
    ['/api/v1/nodes/a%3Ab%20c', { ...CORE, resource: 'nodes', name: 'a:b c', parts: ['nodes', 'a:b c'] }],
    // An escaped slash separates, so it cannot smuggle a path into a name.
    [
      '/api/v1/nodes/a%2Fstatus',
      { ...CORE, resource: 'nodes', name: 'a', subresource: 'status', parts: ['nodes', 'a', 'status'] },
    ],
    ['/api/v1//x', { ...CORE, resource: '', name: 'x', parts: ['', 'x'] }],
  ])('%s', (path, parsed) => {
    expect(parseRequestPath(path)).toEqual(parsed);
  });
});

describe('paths that tell what there is', () => {
  test.each([
    ['/api', { scope: 'core' }],
    ['/api/', { scope: 'core' }],
    ['/apis', { scope: 'groups' }],
    ['/apis/', { scope: 'groups' }],
    ['/apis/apps', { scope: 'group', group: 'apps' }],
    ['/api/v1', { scope: 'version', group: '', version: 'v1' }],
    ['/apis/apps/v1/', { scope: 'version', group: 'apps', version: 'v1' }],
  ])('%s', (path, rest) => {
    expect(parseRequestPath(path)).toEqual({ type: 'discovery', ...rest });
  });
});

describe('other paths', () => {
  test.each([
    ['/', []],
    ['', []],
    ['///', []],
    ['/healthz', ['healthz']],
    ['/openapi/v3/api/v1', ['openapi', 'v3', 'api', 'v1']],
    ['/apiv1/pods/x', ['apiv1', 'pods', 'x']],
    ['/livez/a%20b/', ['livez', 'a b']],
  ])('%s', (path, parts) => {
    expect(parseRequestPath(path)).toEqual({ type: 'other', parts });
  });
});

describe('paths that cannot be read', () => {
  test.each([
    ['/api/v1/watch', 'unable to determine kind and namespace from url, /api/v1/watch'],
    ['/apis/apps/v1/proxy/', 'unable to determine kind and namespace from url, /apis/apps/v1/proxy/'],
    ['/api/v1/nodes/%zz', 'invalid URL escape in /api/v1/nodes/%zz'],
    ['/api/v1/nodes/%ff', 'invalid URL escape in /api/v1/nodes/%ff'],
  ])('%s', (path, message) => {
    expect(parseRequestPath(path)).toEqual({ type: 'malformed', message });
  });
});
