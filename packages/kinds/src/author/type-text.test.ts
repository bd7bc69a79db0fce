import { describe, expect, it } from 'vitest';
import { typesOfDefinitions } from './type-text.ts';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'websites.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'websites', kind: 'Website' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1alpha1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      { name: 'v0', served: false, storage: false },
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A page that is served.',
            required: ['spec'],
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['host'],
                'x-kubernetes-validations': [
                  { rule: 'self.replicas < 10 || has(self.tls)', message: 'large sites need TLS' },
                ],
                properties: {
                  host: {
                    type: 'string',
                    description: 'Where it is served.\nA name, */ not an address.',
                    minLength: 1,
                    pattern: '^[a-z.]+$',
                  },
                  replicas: { type: 'integer', format: 'int64', default: 1, minimum: 0 },
                  mode: { type: 'string', enum: ['fast', "it's"] },
                  port: { 'x-kubernetes-int-or-string': true },
                  tls: { type: 'object', nullable: true, properties: { 'secret-name': { type: 'string' } } },
                  paths: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 5 },
                  rules: {
                    type: 'array',
                    items: { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  template: { type: 'object', 'x-kubernetes-embedded-resource': true },
                },
              },
              status: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { ready: { type: 'boolean' } },
              },
            },
          },
        },
      },
    ],
  },
};

describe('the types of a CRD', () => {
  it('are those of its served versions, the newest under the plain names', () => {
    expect(typesOfDefinitions([crd])).toMatchInlineSnapshot(`
      "// Made by \`listwatch types\` from websites.example.com. Do not edit.

      import { type ApiObject, resource } from '@listwatch/api';

      /** A page that is served. */
      export interface Website extends ApiObject {
        readonly spec: WebsiteSpec;
        readonly status?: WebsiteStatus;
      }

      /** Rule: \`self.replicas < 10 || has(self.tls)\`: large sites need TLS */
      export interface WebsiteSpec {
        /**
         * Where it is served.
         * A name, *\\/ not an address.
         * At least 1 character.
         * Matches \`^[a-z.]+$\`.
         */
        readonly host: string;
        /**
         * Default: \`1\`.
         * At least 0.
         */
        readonly replicas: number;
        readonly mode?: 'fast' | 'it\\'s';
        readonly port?: number | string;
        readonly tls?: {
          readonly 'secret-name'?: string;
        } | null;
        /**
         * At most 5 items.
         * No item twice.
         */
        readonly paths?: readonly string[];
        readonly rules?: readonly {
          readonly a: boolean;
        }[];
        readonly labels?: Readonly<Record<string, string>>;
        readonly raw?: Readonly<Record<string, unknown>>;
        readonly template?: ApiObject;
      }

      export interface WebsiteStatus {
        readonly ready?: boolean;
        readonly [field: string]: unknown;
      }

      /** A Website to be created: what has a default may be absent. */
      export interface NewWebsite {
        readonly metadata: Partial<
          Pick<
            ApiObject['metadata'],
            'annotations' | 'finalizers' | 'generateName' | 'labels' | 'name' | 'namespace' | 'ownerReferences'
          >
        >;
        readonly spec: NewWebsiteSpec;
      }

      /** Rule: \`self.replicas < 10 || has(self.tls)\`: large sites need TLS */
      export interface NewWebsiteSpec {
        /**
         * Where it is served.
         * A name, *\\/ not an address.
         * At least 1 character.
         * Matches \`^[a-z.]+$\`.
         */
        readonly host: string;
        /**
         * Default: \`1\`.
         * At least 0.
         */
        readonly replicas?: number;
        readonly mode?: 'fast' | 'it\\'s';
        readonly port?: number | string;
        readonly tls?: {
          readonly 'secret-name'?: string;
        } | null;
        /**
         * At most 5 items.
         * No item twice.
         */
        readonly paths?: readonly string[];
        readonly rules?: readonly {
          readonly a: boolean;
        }[];
        readonly labels?: Readonly<Record<string, string>>;
        readonly raw?: Readonly<Record<string, unknown>>;
        readonly template?: ApiObject;
      }

      /** The object as \`cluster.create\` takes it: typed as if the defaults were there, which the server fills in. */
      export function newWebsite(object: NewWebsite): Omit<Website, 'metadata' | 'status'> & Pick<NewWebsite, 'metadata'>;
      export function newWebsite(object: object): object {
        return { apiVersion: 'example.com/v1', kind: 'Website', ...object };
      }

      /** \`websites\` of example.com/v1. kubectl shows Host (.spec.host). */
      export const websites = resource<Website>({
        group: 'example.com',
        version: 'v1',
        plural: 'websites',
        kind: 'Website',
        namespaced: true,
      });

      export type WebsiteV1alpha1 = ApiObject;

      /** \`websites\` of example.com/v1alpha1. */
      export const websitesV1alpha1 = resource<WebsiteV1alpha1>({
        group: 'example.com',
        version: 'v1alpha1',
        plural: 'websites',
        kind: 'Website',
        namespaced: true,
      });
      "
    `);
  });

  it.each([[undefined], [{}], [{ kind: 'CustomResourceDefinition', spec: { group: 'a.b', names: {}, versions: [] } }]])(
    'need a CRD, not %j',
    (other) => {
      expect(() => typesOfDefinitions([other])).toThrow('not a CustomResourceDefinition of apiextensions.k8s.io/v1');
    },
  );

  it('are written to two files when two kinds have one name', () => {
    const other = { ...crd, spec: { ...crd.spec, group: 'example.org' } };
    expect(() => typesOfDefinitions([crd, other])).toThrow('example.com and example.org both have a Website');
  });

  it('of a schema with any depth end', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 5000; level += 1) schema = { type: 'object', properties: { a: schema } };
    const versions = [{ name: 'v1', served: true, schema: { openAPIV3Schema: schema } }];
    expect(typesOfDefinitions([{ ...crd, spec: { ...crd.spec, versions } }])).toContain('unknown');
  });
});
