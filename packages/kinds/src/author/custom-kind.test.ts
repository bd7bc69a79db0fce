import type { Resource } from '@listwatch/api';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineKind, mergeVersions } from './custom-kind.ts';
import { pluralOf } from './plural-of.ts';

const schema = z.object({
  spec: z.object({ host: z.string(), replicas: z.int().min(0).default(1) }),
  status: z.object({ ready: z.boolean() }).optional(),
});
const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  schema,
  shortNames: ['web'],
  columns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
  selectableFields: ['.spec.host'],
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
});

describe('defineKind', () => {
  it('gives the resource and the CRD', () => {
    expect(website.resource).toEqual({
      group: 'example.com',
      version: 'v1',
      plural: 'websites',
      kind: 'Website',
      namespaced: true,
    });
    expect(website.crd).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'websites.example.com' },
      spec: {
        group: 'example.com',
        names: {
          plural: 'websites',
          singular: 'website',
          kind: 'Website',
          listKind: 'WebsiteList',
          shortNames: ['web'],
        },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    required: ['host'],
                    properties: {
                      host: { type: 'string' },
                      replicas: { type: 'integer', format: 'int64', minimum: 0, default: 1 },
                    },
                  },
                  status: { type: 'object', required: ['ready'], properties: { ready: { type: 'boolean' } } },
                },
              },
            },
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
            additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
            selectableFields: [{ jsonPath: '.spec.host' }],
          },
        ],
      },
    });
  });

  it('gives the types: what is read has its defaults, what is written may lack them', () => {
    type Website = typeof website.resource extends Resource<infer T> ? T : never;
    expectTypeOf<Website['spec']['replicas']>().toEqualTypeOf<number>();
    const object = website.object({ metadata: { name: 'a' }, spec: { host: 'a.example.com' } });
    expect(object).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Website',
      metadata: { name: 'a' },
      spec: { host: 'a.example.com' },
    });
    // @ts-expect-error a host is required
    website.object({ metadata: { name: 'a' }, spec: {} });
  });

  it('takes a JSON Schema as well, and leaves out what every object has', () => {
    const { crd } = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Policy',
      scope: 'Cluster',
      schema: {
        type: 'object',
        properties: { metadata: { type: 'object' }, spec: { type: 'object' } },
        required: ['metadata'],
      },
    });
    expect(crd).toMatchObject({ metadata: { name: 'policies.example.com' }, spec: { scope: 'Cluster' } });
    expect(crd.spec.versions[0]?.schema?.openAPIV3Schema).toEqual({
      type: 'object',
      properties: { spec: { type: 'object' } },
    });
  });

  it.each([
    [{ group: 'example' }, 'the option group of defineKind must be a domain such as example.com, not "example"'],
    [{ version: '1' }, 'the option version of defineKind must be a name such as v1, not "1"'],
    [{ kind: 'my-kind' }, 'the option kind of defineKind must be a name such as Website, not "my-kind"'],
    [{ plural: 'Websites' }, 'the option plural of defineKind must be a name such as websites, not "Websites"'],
    [{ scope: 'Global' }, 'the option scope of defineKind must be "Namespaced" or "Cluster", not "Global"'],
    [{ shortName: 'w' }, 'unknown option "shortName" of defineKind'],
    [{ schema: undefined }, 'defineKind needs the option schema'],
    [{ schema: { type: 'string' } }, 'the option schema of defineKind must be the schema of an object'],
  ])('names the option that is wrong: %j', (wrong, message) => {
    const options = Object({ group: 'example.com', version: 'v1', kind: 'Website', schema, ...wrong });
    expect(() => defineKind(options)).toThrow(new TypeError(message));
  });
});

describe('mergeVersions', () => {
  const next = defineKind({ group: 'example.com', version: 'v2', kind: 'Website', schema: { type: 'object' } });

  it('makes one CRD of several versions, one of which is stored', () => {
    const { spec } = mergeVersions([website, next], 'v2');
    expect(spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', false],
      ['v2', true],
    ]);
  });

  it('refuses other kinds, and a version to store that is not there', () => {
    const other = defineKind({ group: 'example.com', version: 'v1', kind: 'Other', schema: { type: 'object' } });
    expect(() => mergeVersions([website, other], 'v1')).toThrow(
      'others.example.com is no version of websites.example.com',
    );
    expect(() => mergeVersions([website, next], 'v3')).toThrow('websites.example.com has no version v3 to store');
    expect(() => mergeVersions([], 'v1')).toThrow('at least one kind');
  });
});

it.each([
  ['Website', 'websites'],
  ['Policy', 'policies'],
  ['Gateway', 'gateways'],
  ['Ingress', 'ingresses'],
  ['Mailbox', 'mailboxes'],
  ['Batch', 'batches'],
])('the plural of %s is %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});
