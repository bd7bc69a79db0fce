/** Kinds that their author writes in TypeScript: the type, the resource and the CRD out of one schema. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/types/apiextensions-v1.ts';
import type { Answered, DeepReadonly } from './deep-readonly.ts';
import { checkKindOptions, type DefineKindOptions } from './define-kind-options.ts';
import { pluralOf } from './plural-of.ts';
import type { StructuralSchema } from './schema-place.ts';
import {
  type JsonSchema,
  jsonSchemaOf,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from './standard-schema.ts';
import { structuralSchema } from './structural-schema.ts';

/** The manifest of a CRD, without what the server fills in. */
export interface CrdManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: CustomResourceDefinition['spec'];
}

/** The objects of a kind, as they are read: with defaults, and read-only, because caches share them. */
export type CustomObject<S> = ApiObject & Answered<SchemaOutput<S>>;

/** The metadata that an author sets. */
export type NewCustomMetadata = Partial<
  Pick<
    ApiObject['metadata'],
    'annotations' | 'finalizers' | 'generateName' | 'labels' | 'name' | 'namespace' | 'ownerReferences'
  >
>;

/** The objects of a kind, as they are written: what has a default may be absent. */
export type NewCustomObject<S> = Omit<DeepReadonly<SchemaInput<S>>, 'status'> & {
  readonly metadata: NewCustomMetadata;
};

/** A kind of one's own. */
export interface CustomKind<T extends ApiObject = ApiObject, New = { readonly metadata: NewCustomMetadata }> {
  /** For `cluster.get`, `informer`, `controller` and all that takes a `Resource`. */
  readonly resource: Resource<T>;
  /** To be applied to a cluster, or written to a file: `applyYaml(cluster, website.crd)`. */
  readonly crd: CrdManifest;
  /**
   * The object as `cluster.create` takes it: with `apiVersion` and `kind`, and typed as if its defaults were there, which the
   * server fills in. Checks nothing at run time: the server does.
   */
  readonly object: (object: New) => Omit<T, 'metadata' | 'status'> & { readonly metadata: NewCustomMetadata };
}

/**
 * Defines a kind out of a schema.
 *
 * @example
 * const website = defineKind({
 *   group: 'example.com',
 *   version: 'v1',
 *   kind: 'Website',
 *   schema: z.object({ spec: z.object({ host: z.string(), replicas: z.int().min(0).default(1) }) }),
 * });
 * await applyYaml(cluster, website.crd);
 * await cluster.create(website.resource, website.object({ metadata: { name: 'a', namespace: 'b' }, spec: { host: 'a.example.com' } }));
 *
 * @throws TypeError for an option that is wrong, and for a schema that no CRD can have (it names the field)
 */
export function defineKind<const S extends JsonSchema | StandardSchema>(
  options: DefineKindOptions<S>,
): CustomKind<CustomObject<S>, NewCustomObject<S>> {
  checkKindOptions(options);
  const { group, version, kind, scope = 'Namespaced' } = options;
  const plural = options.plural ?? pluralOf(kind);
  const crd: CrdManifest = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        plural,
        singular: options.singular ?? kind.toLowerCase(),
        kind,
        listKind: `${kind}List`,
        ...(options.shortNames && { shortNames: options.shortNames }),
        ...(options.categories && { categories: options.categories }),
      },
      scope,
      versions: [versionOf(options, rootSchema(options.schema))],
    },
  };
  return {
    resource: resource<CustomObject<S>>({ group, version, plural, kind, namespaced: scope === 'Namespaced' }),
    crd,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server fills in the defaults
    object: (object) => ({ apiVersion: `${group}/${version}`, kind, ...object }) as never,
  };
}

/**
 * One CRD out of several versions of a kind. Their names and scope are those of the first; `storage` names the version in
 * which objects are stored.
 *
 * @throws TypeError when the kinds are not versions of one kind, or none of them is the storage version
 */
export function mergeVersions(kinds: readonly Pick<CustomKind, 'crd'>[], storage: string): CrdManifest {
  const [first] = kinds;
  if (first === undefined) throw new TypeError('mergeVersions needs at least one kind');
  const other = kinds.find(({ crd }) => crd.metadata.name !== first.crd.metadata.name);
  if (other !== undefined) {
    throw new TypeError(`${other.crd.metadata.name} is no version of ${first.crd.metadata.name}`);
  }
  const versions = kinds.flatMap(({ crd }) => crd.spec.versions);
  if (!versions.some(({ name }) => name === storage)) {
    throw new TypeError(`${first.crd.metadata.name} has no version ${storage} to store`);
  }
  return {
    ...first.crd,
    spec: {
      ...first.crd.spec,
      versions: versions.map((version) => ({ ...version, storage: version.name === storage })),
    },
  };
}

/** The schema of the whole object. The server knows `apiVersion`, `kind` and `metadata` itself. */
function rootSchema(schema: JsonSchema | StandardSchema): StructuralSchema {
  const { properties, required, ...root } = structuralSchema(jsonSchemaOf(schema));
  if (root['type'] !== 'object') throw new TypeError('the option schema of defineKind must be the schema of an object');
  const known = ['apiVersion', 'kind', 'metadata'];
  const fields = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => !known.includes(name));
  const needed = (Array.isArray(required) ? required : []).filter((name) => !known.includes(String(name)));
  return { ...root, properties: Object.fromEntries(fields), ...(needed.length > 0 && { required: needed }) };
}

function versionOf<S extends JsonSchema | StandardSchema>(
  { version, status, scale, columns, selectableFields }: DefineKindOptions<S>,
  schema: StructuralSchema,
): CustomResourceDefinitionVersion {
  const hasStatus = status ?? Object.hasOwn(Object(schema['properties']), 'status');
  return {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...((hasStatus || scale !== undefined) && {
      subresources: { ...(hasStatus && { status: {} }), ...(scale && { scale }) },
    }),
    ...(columns && { additionalPrinterColumns: columns }),
    ...(selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}
