/** Paths for the fuzzer: of every kind and verb, with odd segments now and then. */

import fc from 'fast-check';
import { anyText, mostly } from './mostly.ts';

const NAMESPACES = ['fuzz-0', 'fuzz-1', 'default', 'kube-system', 'nope'];
const NAMES = ['a', 'b', 'c', 'd', 'a.b', 'kubernetes', 'fuzz-0', '-', 'A', 'x'.repeat(254)];
const CORE = [
  'configmaps',
  'secrets',
  'pods',
  'podtemplates',
  'services',
  'serviceaccounts',
  'events',
  'nodes',
  'namespaces',
];
const ODD_SEGMENTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%zz',
  '%',
  '%F0%9F%92%A9',
  '%ff',
  '*',
  'a%20b',
  '~',
  ';x=y',
  'é',
];

const oddSegment = fc.oneof(fc.constantFrom(...ODD_SEGMENTS), anyText(12));
const namespace = mostly(fc.constantFrom(...NAMESPACES), oddSegment);
const name = mostly(fc.constantFrom(...NAMES), oddSegment);
const groupPath: fc.Arbitrary<readonly [root: string, plural: string]> = mostly<readonly [string, string]>(
  fc.constantFrom(
    ...CORE.map((plural) => ['/api/v1', plural] as const),
    ['/apis/apps/v1', 'deployments'] as const,
    ['/apis/coordination.k8s.io/v1', 'leases'] as const,
    ['/apis/events.k8s.io/v1', 'events'] as const,
    ['/apis/fuzz.example.com/v1', 'widgets'] as const,
    ['/apis/fuzz.example.com/v1', 'flaps'] as const,
    ['/apis/apiextensions.k8s.io/v1', 'customresourcedefinitions'] as const,
  ),
  fc.tuple(fc.constantFrom('/api/v2', '/apis/nope.io/v1', '/apis/apps/v9', '/apis', '/api', ''), oddSegment),
  20,
);
const scope = mostly(
  fc.constantFrom('', '', 'watch/', 'watch/', 'proxy/'),
  oddSegment.map((segment) => `${segment}/`),
  20,
);
const resourcePath = fc
  .tuple(
    groupPath,
    fc.oneof({ arbitrary: fc.constant(''), weight: 6 }, { arbitrary: scope, weight: 1 }),
    fc.option(namespace, { freq: 5 }),
    fc.option(name, { freq: 2 }),
    fc.oneof(
      { arbitrary: fc.constant(''), weight: 10 },
      { arbitrary: fc.constantFrom('/status', '/finalize', '/log', '/exec', '/scale', '/nope', '/', '//'), weight: 1 },
    ),
  )
  .map(([[root, plural], prefix, inNamespace, named, rest]) => {
    const place = inNamespace === null ? '' : `namespaces/${inNamespace}/`;
    return `${root}/${prefix}${place}${plural}${named === null ? '' : `/${named}`}${rest}`;
  });
const otherPath = fc.oneof(
  fc.constantFrom(
    '/',
    '/api',
    '/apis',
    '/api/v1',
    '/apis/apps',
    '/version',
    '/healthz',
    '/readyz/ping',
    '/livez?verbose',
  ),
  fc.constantFrom(
    '/metrics',
    '/debug/cache',
    '/openapi/v3',
    '/openapi/v2',
    '/openapi/v3/apis/apps/v1?hash=A',
    '/openapi/v3/apis/nope/v1',
    '/logs',
    '/%',
    '//api//v1',
    '/api/v1/watch',
  ),
  fc.array(oddSegment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
);
/** A path, sometimes with a query of its own. */
export const fuzzPath: fc.Arbitrary<string> = mostly(resourcePath, otherPath);
