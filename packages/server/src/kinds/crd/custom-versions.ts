/** Builds the definitions of a custom kind: one for each version that is served. Start here. */

import { createHash } from 'node:crypto';
import { resource } from '@listwatch/api';
import type { KindData, SubresourceData } from '@listwatch/kinds/data';
import { BUILT_IN_SCHEMAS, type KindSchemas } from '@listwatch/kinds/schemas';
import {
  ageOf,
  customResetFields,
  listedFields,
  METADATA_TYPE,
  NAME_COLUMN,
  nameCell,
  type TableColumns,
} from '@listwatch/rules/internal';
import {
  type CustomRules,
  type CustomSchema,
  customColumns,
  OwnershipError,
  type SelectableField,
  selectableFields,
  VisitBudget,
} from '@listwatch/schema';
import type { StoredForm } from '../../stored/stored-form.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import type { CustomDefinition, CustomVersion } from './custom-definition.ts';
import { customForm, type FormVersions } from './custom-form.ts';
import { customSchemas } from './custom-schemas.ts';
import { customStrategy } from './custom-strategy.ts';

/** The parts of the server that a custom kind needs. */
export interface CustomKindParts {
  /** Reads the schema of a version; called when the first object needs it. */
  readonly schemaOf: (version: string) => CustomSchema;
  /** The revision of the definition. */
  readonly since: bigint;
  /** Evaluates the rules of schemas. Undefined: they are not evaluated. */
  readonly rules?: CustomRules | undefined;
  /** The definition is being deleted: no object can be created. */
  readonly isTerminating: () => boolean;
  /** Validation runs where work that takes too long is ended. Default: false. */
  readonly hasDeadline?: boolean | undefined;
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

/** The definitions of all served versions, the storage version first. */
export function customKinds(definition: CustomDefinition, parts: CustomKindParts): readonly ResourceDefinition[] {
  const { accepted, group, storageVersion } = definition;
  const schemas = new Map(definition.versions.map(({ name }) => [name, parts.schemaOf(name)]));
  const versions: FormVersions = { kind: accepted.kind, group, storageVersion, schemas };
  const served = definition.versions.filter(({ isServed }) => isServed);
  const ordered = [
    ...served.filter(({ name }) => name === storageVersion),
    ...served.filter(({ name }) => name !== storageVersion),
  ];
  const made = new Map<string, CustomVersionDefinition>();
  const inVersion = (name: string): CustomVersionDefinition | undefined => {
    const version = definition.versions.find((one) => one.name === name);
    if (version === undefined) return undefined;
    const one = made.get(name) ?? new CustomVersionDefinition({ definition, version, versions, parts, inVersion });
    made.set(name, one);
    return one;
  };
  return ordered.flatMap(({ name }) => inVersion(name) ?? []);
}

interface VersionParts {
  readonly definition: CustomDefinition;
  readonly version: CustomVersion;
  readonly versions: FormVersions;
  readonly parts: CustomKindParts;
  /** The same kind in another version, served or not. */
  readonly inVersion: (version: string) => ResourceDefinition | undefined;
}

/** One version. Its parts are created on first use: most of a thousand definitions are never used. */
class CustomVersionDefinition implements ResourceDefinition {
  readonly resource: ResourceDefinition['resource'];
  readonly verbs: readonly string[] = CUSTOM_VERBS;
  readonly storagePrefix: string;
  readonly #of: VersionParts;
  #data: KindData | undefined;
  #schemas: KindSchemas | undefined;
  #strategy: ResourceDefinition['strategy'] | undefined;
  #columns: TableColumns | undefined;
  #form: StoredForm | undefined;
  #fields: readonly SelectableField[] | undefined;
  #resolveField: ResourceDefinition['resolveField'] | undefined;

  constructor(of: VersionParts) {
    const { group, isNamespaced: namespaced, accepted } = of.definition;
    const { plural, kind } = accepted;
    this.#of = of;
    this.resource = resource({ group, version: of.version.name, plural, kind, namespaced });
    this.storagePrefix = `${group}/${plural}`;
  }

  get reportedKind(): ResourceDefinition['reportedKind'] {
    return this.resource;
  }

  get data(): KindData {
    this.#data ??= kindData(this.#of.definition, this.#of.version);
    return this.#data;
  }

  get deprecation(): string | undefined {
    return this.#of.version.deprecation;
  }

  get subresources(): Readonly<Record<string, readonly string[]>> {
    return this.#of.version.hasStatus ? { status: PART_VERBS } : {};
  }

  get fieldsOf(): ResourceDefinition['fieldsOf'] {
    const fields = this.#selectable;
    return (object) => Object.fromEntries(fields.map(({ name, valueOf }) => [name, valueOf(object)]));
  }

  get resolveField(): ResourceDefinition['resolveField'] {
    const names = this.#selectable.map(({ name }) => name);
    this.#resolveField ??= listedFields(['metadata.name', 'metadata.namespace', ...names]);
    return this.#resolveField;
  }

  get strategy(): ResourceDefinition['strategy'] {
    const { version, parts } = this.#of;
    const { rules, isTerminating, hasDeadline = false } = parts;
    this.#strategy ??= customStrategy(version, { schema: this.#schema, rules, isTerminating, hasDeadline });
    return this.#strategy;
  }

  get columns(): TableColumns {
    this.#columns ??= tableOf(this.#of.version);
    return this.#columns;
  }

  get schemas(): KindSchemas {
    this.#schemas ??= customSchemas(this.data.type, this.#schema);
    return this.#schemas;
  }

  get resetFields(): ResourceDefinition['resetFields'] {
    return customResetFields(this.#of.version.hasStatus);
  }

  /** A custom kind has no Go type, so no zero values: the author owns every field of a new object. */
  get zero(): ResourceDefinition['zero'] {
    return nothing;
  }

  get load(): ResourceDefinition['load'] {
    return loadMetadata;
  }

  get decodeProblem(): ResourceDefinition['decodeProblem'] {
    return noProblem;
  }

  get form(): StoredForm {
    const { definition, version, versions, parts } = this.#of;
    const make = definition.webhook === undefined ? customForm : (parts.webhookForm ?? customForm);
    this.#form ??= make(version.name, versions);
    return this.#form;
  }

  get custom(): ResourceDefinition['custom'] {
    const { definition, version, parts } = this.#of;
    const { listKind } = definition.accepted;
    return { schema: this.#schema, listKind, scale: version.scale, since: parts.since, uid: definition.uid };
  }

  inVersion(apiVersion: string): ResourceDefinition | undefined {
    const { definition, inVersion } = this.#of;
    // A webhook call is asynchronous, but the comparison of field owners is synchronous.
    if (definition.webhook !== undefined) return undefined;
    const prefix = `${definition.group}/`;
    const found = apiVersion.startsWith(prefix) ? inVersion(apiVersion.slice(prefix.length)) : undefined;
    if (found !== undefined) return found;
    const why = `request to convert CR to an invalid group/version: ${apiVersion}`;
    throw new OwnershipError('OBJECT_MISMATCH', why);
  }

  plan(): ReturnType<ResourceDefinition['plan']> {
    return this.schemas.plan(this.data.type);
  }

  get #schema(): CustomSchema {
    const { version, versions } = this.#of;
    const schema = versions.schemas.get(version.name);
    if (schema === undefined) throw new RangeError(`there is no version ${version.name}`);
    return schema;
  }

  get #selectable(): readonly SelectableField[] {
    this.#fields ??= selectableFields(this.#of.version.selectableFields);
    return this.#fields;
  }
}

function nothing(): typeof EMPTY {
  return EMPTY;
}

function loadMetadata(): ReturnType<ResourceDefinition['load']> {
  return BUILT_IN_SCHEMAS.load(METADATA_TYPE);
}

function noProblem(): undefined {
  return undefined;
}

/** The data of a version for discovery and OpenAPI. */
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

/** Parses the paths of the columns at the first Table request. */
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
    cells: (object, now, budget = new VisitBudget()) => {
      budget.nextRow();
      return [nameCell(object), ...own().map(({ cell }) => cell(object, (time) => ageOf(time, now), budget))];
    },
  };
}
