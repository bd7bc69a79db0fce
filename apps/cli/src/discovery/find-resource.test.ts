import type { ServedResource } from '@listwatch/client';
import { describe, expect, it } from 'vitest';
import { findResource } from './find-resource.ts';

function served(
  apiVersion: string,
  plural: string,
  kind: string,
  { shortNames = [], verbs = ['get', 'list', 'watch'] }: Partial<ServedResource> = {},
): ServedResource {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const rest = { namespaced: true, categories: [], subresources: [], isPreferred: true };
  return { group, version, plural, kind, singular: kind.toLowerCase(), shortNames, verbs, ...rest };
}

const ALL = [
  served('v1', 'pods', 'Pod', { shortNames: ['po'] }),
  served('v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'] }),
  served('v1', 'events', 'Event', { shortNames: ['ev'] }),
  served('v1', 'bindings', 'Binding', { verbs: ['create'] }),
  served('apps/v1', 'deployments', 'Deployment', { shortNames: ['deploy'] }),
  served('events.k8s.io/v1', 'events', 'Event', { shortNames: ['ev'] }),
  served('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { shortNames: ['hpa'] }),
  served('autoscaling/v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { shortNames: ['hpa'] }),
  served('coordination.k8s.io/v1', 'leases', 'Lease'),
  served('v1.example.com/v3', 'odds', 'Odd'),
];

function found(text: string): string {
  const result = findResource(text, ALL);
  if (result.type === 'unknown') return result.message;
  const { group, version, plural } = result.served;
  return `${group}/${version}/${plural}${result.object === undefined ? '' : ` ${result.object}`}`;
}

describe('the name of a resource', () => {
  it.each([
    ['pods', '/v1/pods'],
    ['pod', '/v1/pods'],
    ['po', '/v1/pods'],
    ['Pod', '/v1/pods'],
    ['PODS', '/v1/pods'],
    ['ConfigMap', '/v1/configmaps'],
    ['deployments.apps', 'apps/v1/deployments'],
    ['deploy.apps', 'apps/v1/deployments'],
    ['deployments.v1.apps', 'apps/v1/deployments'],
    ['pods.v1', '/v1/pods'],
    ['pods.v1.', '/v1/pods'],
    ['apps/v1/deployments', 'apps/v1/deployments'],
    ['v1/pods', '/v1/pods'],
    ['leases.coordination', 'coordination.k8s.io/v1/leases'],
    ['odds.v1.example.com', 'v1.example.com/v3/odds'],
    ['odds.v3.v1.example.com', 'v1.example.com/v3/odds'],
  ])('%s means %s', (text, expected) => {
    expect(found(text)).toBe(expected);
  });

  it.each([
    ['pods/web-1', '/v1/pods web-1'],
    ['v1/pods/web-1', '/v1/pods web-1'],
    ['deployments.apps/web', 'apps/v1/deployments web'],
    ['apps/v1/deployments/web', 'apps/v1/deployments web'],
  ])('%s means %s: an object may follow', (text, expected) => {
    expect(found(text)).toBe(expected);
  });

  it('in several groups means the first, unless the group is said', () => {
    expect(found('events')).toBe('/v1/events');
    expect(found('events.events.k8s.io')).toBe('events.k8s.io/v1/events');
  });

  it('in several versions means the preferred one, unless the version is said', () => {
    expect(found('hpa')).toBe('autoscaling/v2/horizontalpodautoscalers');
    expect(found('autoscaling/v1/hpa')).toBe('autoscaling/v1/horizontalpodautoscalers');
  });
});

describe('a name that leads nowhere', () => {
  it.each([
    ['pdos', 'the server has no resource "pdos"; did you mean pods?'],
    ['deploymnets', 'the server has no resource "deploymnets"; did you mean deployments.apps?'],
    ['podss.v1.', 'the server has no resource "podss.v1."; did you mean pods?'],
    ['pods.apps', 'the server has no resource "pods.apps"; did you mean pods?'],
    ['bindings', 'bindings cannot be watched: the server only allows create'],
    ['a/b/c', '"a/b/c" is not a resource such as pods, deployments.apps, apps/v1/deployments or pods/NAME'],
    ['pods/', '"pods/" is not a resource such as pods, deployments.apps, apps/v1/deployments or pods/NAME'],
  ])('%s: %s', (text, message) => {
    expect(found(text)).toBe(message);
  });

  it('and is like no other is answered with what there is', () => {
    expect(found('zebra')).toMatch(
      /^the server has no resource "zebra"; it has pods, configmaps, events, deployments\.apps, /u,
    );
    expect(found('zebra')).not.toContain('bindings');
  });

  it('may be in a group that could not be discovered', () => {
    const failures = [{ group: 'metrics.k8s.io', version: 'v1', error: new Error('the server is down') }];
    expect(findResource('podmetrics', ALL, failures)).toMatchObject({
      message: expect.stringMatching(/; could not discover metrics\.k8s\.io\/v1: the server is down$/u),
    });
  });
});
