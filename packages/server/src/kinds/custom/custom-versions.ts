/** Builds the definitions of a custom kind: one for each version that is served. Start here. */

import { createHash } from 'node:crypto';
import { resource } from '@listwatch/api';
import type { KindData, SubresourceData } from '@listwatch/kinds/data';
import { type CustomRules, CustomSchema, customColumns, selectableFields } from '@listwatch/schema';
import { listedFields } from '../field-selection.ts';
import { ageOf } from '../human-duration.ts';
import { BUILT_IN_SCHEMAS, type KindSchemas } from '../kind-schemas.ts';
import { customResetFields } from '../reset-fields.ts';
import type { KubeObject, ResourceDefinition, TableColumns } from '../resource-definition.ts';
import { NAME_COLUMN, nameCell } from '../table-column.ts';
import type { CustomDefinition, CustomVersion } from './custom-definition.ts';
import { customForm, type FormVersions } from './custom-form.ts';
import { METADATA_TYPE } from './custom-metadata.ts';
import { customSchemas } from './custom-schemas.ts';
import { customStrategy } from './custom-strategy.ts';
import type { StoredForm } from './stored-form.ts';

/** What a custom kind needs from the server. */
export interface CustomKindParts {
  /** Reads the schema of a version; called when the first object needs it. */
  readonly schemaOf: (version: string) => CustomSchema;
  /** The revision of the definition. */
  readonly since: bigint;
  /** Evaluates the rules of schemas. Undefined: they are not evaluated. */
  readonly rules?: CustomRules | undefined;
  /** The definition is being deleted: no object can be created. */
  readonly isTerminating: () => boolean;
  /** The stored form of versions that a webhook converts. */
  readonly webhookForm?: ((version: string, versions: FormVersions) => StoredForm) | undefined;
}

/** In the order of kube-apiserver's discovery. */
export const CUSTOM_VERBS: readonly string[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

const EMPTY: Readonly<Record<string, never>> = {};
const PART_VERBS: readonly string[] = ['get', 'patch', 'update'];

/** The definitions of all versions that are served, that which is stored first. */
export function customKinds(definition: CustomDefinition, parts: CustomKindParts): readonly ResourceDefinition[] {
  const { accepted, group, storageVersion } = definition;
  const schemas = new Map(definition.versions.map(({ name }) => [name, parts.schemaOf(name)]));
  const versions: FormVersions = { kind: accepted.kind, group, storageVersion, schemas };
  const served = definition.versions.filter(({ isServed }) => isServed);
  const ordered = [
    ...served.filter(({ name }) => name === storageVersion),
    ...served.filter(({ name }) => name !== storageVersion),
  ];
  return ordered.map((version) => customKind(definition, version, versions, parts));
}

function customKind(
  definition: CustomDefinition,
  version: CustomVersion,
  versions: FormVersions,
  parts: CustomKindParts,
): ResourceDefinition {
  const { group, isNamespaced: namespaced, accepted } = definition;
  const { plural, kind } = accepted;
  const schema = versions.schemas.get(version.name) ?? new CustomSchema({});
  const data = kindData(definition, version);
  const fields = selectableFields(version.selectableFields);
  let schemas: KindSchemas | undefined;
  return Object.freeze({
    resource: resource({ group, version: version.name, plural, kind, namespaced }),
    data,
    verbs: CUSTOM_VERBS,
    deprecation: version.deprecation,
    subresources: version.hasStatus ? { status: PART_VERBS } : {},
    storagePrefix: `${group}/${plural}`,
    fieldsOf: (object: KubeObject) => Object.fromEntries(fields.map(({ name, valueOf }) => [name, valueOf(object)])),
    resolveField: listedFields(['metadata.name', 'metadata.namespace', ...fields.map(({ name }) => name)]),
    strategy: customStrategy(version, { schema, rules: parts.rules, isTerminating: parts.isTerminating }),
    columns: tableOf(version),
    get schemas(): KindSchemas {
      schemas ??= customSchemas(data.type, schema);
      return schemas;
    },
    resetFields: customResetFields(version.hasStatus),
    // A custom kind has no Go type: every field of a new object is its author's.
    zero: () => EMPTY,
    load: () => BUILT_IN_SCHEMAS.load(METADATA_TYPE),
    plan() {
      return this.schemas.plan(data.type);
    },
    decodeProblem: () => undefined,
    form: (definition.webhook === undefined ? customForm : (parts.webhookForm ?? customForm))(version.name, versions),
    custom: { schema, listKind: accepted.listKind, scale: version.scale, since: parts.since },
  });
}

/** What discovery and OpenAPI say of a version. */
function kindData(
  { group, isNamespaced, accepted, storageVersion }: CustomDefinition,
  version: CustomVersion,
): KindData {
  const { plural, singular, kind, shortNames, categories } = accepted;
  const type = `${group}/${version.name}.${kind}` as const;
  const own = { group, version: version.name, kind, type, verbs: PART_VERBS };
  const scale = {
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    type: 'autoscaling/v1.Scale',
    verbs: PART_VERBS,
  } as const;
  const subresources: Readonly<Record<string, SubresourceData>> = {
    ...(version.hasStatus ? { status: own } : {}),
    ...(version.scale === undefined ? {} : { scale }),
  };
  return {
    group,
    version: version.name,
    kind,
    plural,
    singular,
    namespaced: isNamespaced,
    type,
    listType: `${type}List`,
    verbs: CUSTOM_VERBS,
    shortNames,
    categories,
    selectableFields: selectableFields(version.selectableFields).map(({ name }) => name),
    ownFieldLabels: true,
    storageVersionHash: storageHash(`${group}/${storageVersion}/${kind}`),
    subresources,
  };
}

function storageHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

/** The paths of columns are read when somebody asks for a Table. */
function tableOf({ columns }: CustomVersion): TableColumns {
  let made: ReturnType<typeof customColumns> | undefined;
  const own = (): ReturnType<typeof customColumns> => {
    made ??= customColumns(columns);
    return made;
  };
  return {
    get definitions() {
      return [
        NAME_COLUMN,
        ...own().map(({ name, type, format, description, priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        })),
      ];
    },
    cells: (object, now) => [nameCell(object), ...own().map(({ cell }) => cell(object, (time) => ageOf(time, now)))],
  };
}
