/** Builds the definition of a kind from the options in which kinds differ. */

import { type FieldError, resource } from '@listwatch/api';
import { metadataFields } from './field-selection.ts';
import { type NameRule, subdomainName } from './name-rules.ts';
import type { KubeObject, ResourceDefinition, ResourceStrategy, TableColumns } from './resource-definition.ts';
import { canonical } from './shapes/canonical.ts';
import { decodeProblem } from './shapes/decode-problem.ts';
import { fieldTreeOf } from './shapes/field-tree-of.ts';
import type { StructShape } from './shapes/shape.ts';

/** The verbs that a kind has unless it says otherwise. */
const ALL_VERBS: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** The verbs of a `status` subresource. */
export const STATUS_VERBS: readonly string[] = ['get', 'patch', 'update'];

type Change = (object: KubeObject, old: KubeObject) => KubeObject;
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** The options of a kind; each default is what most kinds do. */
export interface KindOptions {
  /** Default group: the core group. Default version: `v1`. Default: namespaced. */
  readonly resource: Optional<Parameters<typeof resource>[0], 'group' | 'version' | 'namespaced'>;
  readonly shape: StructShape;
  readonly columns: TableColumns;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly subresources?: Readonly<Record<string, readonly string[]>>;
  /** Default: the plural. */
  readonly storagePrefix?: string;
  /** Default: no fields beside the name and the namespace. */
  readonly fieldsOf?: ResourceDefinition['fieldsOf'];
  readonly resolveField?: ResourceDefinition['resolveField'];
  /** Adds defaults, on creation and on update. Default: none. */
  readonly applyDefaults?: (object: KubeObject) => KubeObject;
  /** Clears fields that a client may not set on creation. Default: none. */
  readonly onCreate?: (object: KubeObject) => KubeObject;
  /** Carries over fields that a client may not change. Default: none. */
  readonly onUpdate?: Change;
  readonly onStatusUpdate?: Change;
  readonly onFinalize?: Change;
  /** The rules for an object, new or changed. */
  readonly validate?: ResourceStrategy['validate'];
  /** Further rules for a new object; `validate` runs too. */
  readonly validateNew?: ResourceStrategy['validate'];
  /** Further rules for an update; `validate` runs too. */
  readonly validateChange?: ResourceStrategy['validateUpdate'];
  readonly strategy?: Partial<
    Pick<
      ResourceStrategy,
      | 'allowsCreateOnUpdate'
      | 'allowsUnconditionalUpdate'
      | 'gracePeriodSeconds'
      | 'holdsDeletion'
      | 'markDeleting'
      | 'raisesGeneration'
      | 'refusesDeletion'
      | 'returnsDeletedObject'
      | 'ttlSeconds'
    >
  >;
  /** Default: a DNS subdomain. */
  readonly checkName?: NameRule;
}

/** The definition of a kind. */
export function defineKind(options: KindOptions): ResourceDefinition {
  const coordinates = resource({ group: '', version: 'v1', namespaced: true, ...options.resource });
  return Object.freeze({
    resource: coordinates,
    singular: coordinates.kind.toLowerCase(),
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? ALL_VERBS,
    subresources: options.subresources ?? {},
    storagePrefix: options.storagePrefix ?? coordinates.plural,
    fieldsOf: options.fieldsOf ?? noFields,
    resolveField: options.resolveField ?? metadataFields,
    strategy: strategyOf(options),
    columns: options.columns,
    fieldTree: fieldTreeOf(options.shape),
    shape: options.shape,
    decodeProblem: (document: unknown) => decodeProblem(options.shape, document),
  });
}

function strategyOf(options: KindOptions): ResourceStrategy {
  const { onCreate = same, onUpdate = same, onStatusUpdate, onFinalize, validate = noErrors } = options;
  const { applyDefaults = same, validateNew = noErrors, validateChange = noErrors } = options;
  const canonicals = new WeakSet<KubeObject>();
  const prepare = (object: KubeObject, change: (object: KubeObject) => KubeObject): KubeObject => {
    const taken = canonicals.has(object) ? object : canonicalObject(options.shape, object);
    const changed = change(applyDefaults(taken));
    // Most kinds change nothing; a second pass over a canonical object would cost as much as the first.
    return changed === taken ? taken : canonicalObject(options.shape, changed);
  };
  const onChange = (change: Change): Change => {
    return (object, old) => prepare(object, (taken) => change(taken, old));
  };
  return {
    canonical: (object) => {
      const result = canonicalObject(options.shape, object);
      canonicals.add(result);
      return result;
    },
    prepareForCreate: (object) => prepare(object, onCreate),
    prepareForUpdate: onChange(onUpdate),
    prepareForStatusUpdate: onStatusUpdate === undefined ? undefined : onChange(onStatusUpdate),
    prepareForFinalize: onFinalize === undefined ? undefined : onChange(onFinalize),
    validate: (object) => [...validate(object), ...validateNew(object)],
    validateUpdate: (object, old) => [...validateChange(object, old), ...validate(object)],
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    returnsDeletedObject: false,
    ...options.strategy,
    checkName: options.checkName ?? subdomainName,
  };
}

/** The object in canonical form. Its types are right: verbs run `decodeProblem` on what a client has sent. */
function canonicalObject(shape: StructShape, object: KubeObject): KubeObject {
  const result = canonical(shape, object);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every shape has them; to name them again costs a copy
  return result as unknown as KubeObject;
}

function same(object: KubeObject): KubeObject {
  return object;
}

function noErrors(): readonly FieldError[] {
  return [];
}

function noFields(): Readonly<Record<string, string>> {
  return {};
}
