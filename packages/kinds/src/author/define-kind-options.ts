/** What an author says of a kind of their own. */

import type { JsonSchema, StandardSchema } from './standard-schema.ts';

/** A column of `kubectl get`. */
export interface KindColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'string';
  /** Such as `.spec.replicas`. */
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority?: number;
}

/** Where `kubectl scale` and autoscalers find the replicas. */
export interface KindScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The options of `defineKind`. */
export interface DefineKindOptions<S extends JsonSchema | StandardSchema> {
  /** A domain of yours: `example.com`. */
  readonly group: string;
  /** Such as `v1`, `v1alpha1`. */
  readonly version: string;
  /** Such as `Website`. */
  readonly kind: string;
  /**
   * Of the object without `apiVersion`, `kind` and `metadata`: its `spec`, its `status`. A schema of Zod or another library
   * that tells its JSON Schema, or a JSON Schema.
   */
  readonly schema: S;
  /** Default: the kind in small letters, as English makes its plural. */
  readonly plural?: string;
  /** Default: the kind in small letters. */
  readonly singular?: string;
  /** Default: `Namespaced`. */
  readonly scope?: 'Cluster' | 'Namespaced';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly columns?: readonly KindColumn[];
  /** Fields for field selectors: `.spec.host`. */
  readonly selectableFields?: readonly string[];
  /** Is the status a subresource of its own? Default: yes, if the schema has one. */
  readonly status?: boolean;
  readonly scale?: KindScale;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof DefineKindOptions<JsonSchema>>([
  'group',
  'version',
  'kind',
  'schema',
  'plural',
  'singular',
  'scope',
  'shortNames',
  'categories',
  'columns',
  'selectableFields',
  'status',
  'scale',
]);

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/u;
const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/u;
const KIND = /^[A-Za-z][A-Za-z0-9]{0,62}$/u;

/** Throws a TypeError that names the option. The server checks the rest when the CRD is created. */
export function checkKindOptions(options: DefineKindOptions<JsonSchema | StandardSchema>): void {
  const unknown = Object.keys(options ?? {}).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new TypeError(`unknown option "${unknown}" of defineKind`);
  check('group', options.group, GROUP, 'a domain such as example.com');
  check('version', options.version, LABEL, 'a name such as v1');
  check('kind', options.kind, KIND, 'a name such as Website');
  if (options.plural !== undefined) check('plural', options.plural, LABEL, 'a name such as websites');
  if (options.singular !== undefined) check('singular', options.singular, LABEL, 'a name such as website');
  if (options.scope !== undefined && options.scope !== 'Cluster' && options.scope !== 'Namespaced') {
    throw new TypeError(
      `the option scope of defineKind must be "Namespaced" or "Cluster", not ${JSON.stringify(options.scope)}`,
    );
  }
  if (options.schema === undefined || options.schema === null) {
    throw new TypeError('defineKind needs the option schema');
  }
}

function check(option: string, value: unknown, form: RegExp, wanted: string): void {
  if (typeof value === 'string' && value.length <= 253 && form.test(value)) return;
  throw new TypeError(`the option ${option} of defineKind must be ${wanted}, not ${JSON.stringify(value)}`);
}
