/** The components of a custom kind in an OpenAPI document. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { GroupVersionKind, OpenApiSchema, OpenApiVersion } from '../openapi/openapi-schema.ts';
import { publishedSchema } from './published-schema.ts';

/** The published schemas of a version of a custom kind. */
export interface PublishedKind extends GroupVersionKind {
  readonly listKind: string;
  readonly plural: string;
  /** `openAPIV3Schema`; `undefined` for a version without one. */
  readonly schema: JsonRecord | undefined;
  /** `selectableFields` of the version. Default: none. */
  readonly selectableFields?: readonly { readonly jsonPath: string }[] | undefined;
}

/** The components of a version: the kind and its list, by names such as `com.example.v1.Widget`. */
export interface CustomComponents {
  readonly kind: string;
  readonly list: string;
  /** The schemas refer to `ObjectMeta` and `ListMeta` of meta/v1: the document must have these types. */
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}

const CONVENTIONS = 'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const TYPE_META: OpenApiSchema = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. ${CONVENTIONS}#types-kinds`,
    type: 'string',
  },
};

const EMBEDDED_META: OpenApiSchema = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. ${CONVENTIONS}#types-kinds`,
    type: 'string',
  },
};

/** Version 3 has the whole schema, version 2 the part that its clients can read. */
export function customComponents(published: PublishedKind, version: OpenApiVersion): CustomComponents {
  const { group, version: apiVersion, kind: name, listKind, plural, schema } = published;
  const kind = componentName(group, apiVersion, name);
  const list = componentName(group, apiVersion, listKind);
  return {
    kind,
    list,
    schemas: {
      [kind]: { ...objectSchema(schema, version), ...extensionsOf(published, name) },
      [list]: {
        description: `${listKind} is a list of ${name}`,
        type: 'object',
        required: ['items'],
        properties: {
          ...TYPE_META,
          items: {
            description: `List of ${plural}. ${CONVENTIONS}`,
            type: 'array',
            items: { $ref: `${refPrefix(version)}${kind}` },
          },
          metadata: reference(`${META}.ListMeta`, `Standard list metadata. ${CONVENTIONS}#types-kinds`, version),
        },
        ...extensionsOf(published, listKind),
      },
    },
  };
}

function objectSchema(schema: JsonRecord | undefined, version: OpenApiVersion): OpenApiSchema {
  // A schema with properties makes kubectl refuse all others, which a kind without a schema allows.
  if (schema === undefined) return { type: 'object' };
  if (version === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
  const metadata = metadataReference(version);
  const root = publishedSchema(schema, version, { ...EMBEDDED_META, metadata });
  const properties = isRecord(root['properties']) ? root['properties'] : {};
  return { ...root, properties: { ...properties, ...TYPE_META, metadata } };
}

function metadataReference(version: OpenApiVersion): OpenApiSchema {
  return reference(`${META}.ObjectMeta`, `Standard object's metadata. ${CONVENTIONS}#metadata`, version);
}

function extensionsOf({ group, version, selectableFields = [] }: PublishedKind, kind: string): OpenApiSchema {
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(selectableFields.length === 0
      ? {}
      : {
          'x-kubernetes-selectable-fields': selectableFields.map(({ jsonPath }) => ({
            fieldPath: jsonPath.replace(/^\./, ''),
          })),
        }),
  };
}

/** Version 3 allows nothing beside a reference, version 2 as Kubernetes writes it does. */
function reference(name: string, description: string, version: OpenApiVersion): OpenApiSchema {
  const $ref = `${refPrefix(version)}${name}`;
  return version === 2 ? { description, $ref } : { description, allOf: [{ $ref }] };
}

function refPrefix(version: OpenApiVersion): string {
  return version === 2 ? '#/definitions/' : '#/components/schemas/';
}

/** The group turned around, the version and the kind: `com.example.v1.Widget`. */
function componentName(group: string, version: string, kind: string): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}
