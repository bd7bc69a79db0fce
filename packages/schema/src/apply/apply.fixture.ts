/** A custom kind with every sort of list and map, and a stored object that is written step by step. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { StructSchema } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { type ApplyConfigurationResult, applyConfiguration } from './apply-configuration.ts';
import type { ApplyType } from './apply-type.ts';
import { ApplyTypes } from './apply-types.ts';
import { FieldSet, fieldPath } from './fields/field-set.ts';
import { metadataOf, withoutManagedFields } from './managers/managed-object.ts';
import type { OwnershipContext } from './ownership-context.ts';
import { trackUpdate } from './track-update.ts';

const TEXTS = { map: { type: 'string' } } as const;

/** The kind Thing of `x.io`. */
export const THING: StructSchema = {
  fields: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: {
      fields: {
        name: { type: 'string' },
        namespace: { type: 'string' },
        uid: { type: 'string' },
        generation: { type: 'int64' },
        labels: TEXTS,
        annotations: TEXTS,
        finalizers: { list: 'string', listType: 'set' },
        managedFields: { list: 'json' },
      },
    },
    spec: {
      fields: {
        gmap: TEXTS,
        amap: { ...TEXTS, mapType: 'atomic' },
        gstruct: { fields: { a: { type: 'int64' }, b: { type: 'int64' } } },
        astruct: { fields: { a: { type: 'int64' }, b: { type: 'int64' } }, mapType: 'atomic' },
        alist: { list: 'string' },
        set: { list: 'string', listType: 'set' },
        numbers: { list: 'float64', listType: 'set' },
        ml: {
          list: { fields: { k: { type: 'string' }, v: { type: 'int64' }, w: { type: 'int64' } } },
          listType: 'map',
          keys: ['k'],
        },
        ml2: {
          list: {
            fields: { k: { type: 'string' }, p: { type: 'string', default: 'TCP' }, v: { type: 'string' } },
          },
          listType: 'map',
          keys: ['k', 'p'],
        },
        nest: { map: { fields: { a: { type: 'int64' } } } },
        size: { type: 'quantity' },
        port: { type: 'intOrString' },
        free: { fields: {} },
        replicas: { type: 'int64' },
        flag: { type: 'bool' },
      },
    },
    status: { fields: { replicas: { type: 'int64' } } },
  },
};

/** How a {@link Written} is set up. */
export interface WrittenOptions {
  readonly schema?: StructSchema;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly reset?: readonly string[];
}

/** A stored object. */
export class Written {
  live: JsonRecord | undefined;
  now = 0;
  readonly #options: WrittenOptions;
  readonly problems: unknown[] = [];

  constructor(options: WrittenOptions = {}) {
    this.#options = options;
  }

  /** The same object behind another endpoint or with another schema. */
  at(options: WrittenOptions): Written {
    const other = new Written({ ...this.#options, ...options });
    other.live = this.live;
    other.now = this.now;
    return other;
  }

  get context(): OwnershipContext {
    const { schema = THING, apiVersion = 'x.io/v1', subresource = '', reset = [] } = this.#options;
    const types = typesOf(schema);
    return {
      apiVersion,
      kind: 'Thing',
      subresource,
      typeOf: (version) => (['x.io/v1', 'x.io/v2'].includes(version) ? types : undefined),
      resetFields: () => FieldSet.of(...reset.map((name) => fieldPath(name))),
      zero: () => ({ apiVersion, kind: 'Thing' }),
      now: () => `2026-01-01T00:00:${String(this.now).padStart(2, '0')}Z`,
    };
  }

  /** Applies a spec, or a whole object without its kind. Stores the result, if there is one. */
  apply(manager: string, config: JsonRecord, force = false): ApplyConfigurationResult {
    const { apiVersion, kind } = this.context;
    const object = { apiVersion, kind, metadata: { name: 't' }, ...config };
    const result = applyConfiguration(this.context, { live: this.live, config: object, manager, force });
    if (result.outcome === 'applied') this.#store(result.object, result.managedFields);
    return result;
  }

  spec(manager: string, spec: unknown, force = false): ApplyConfigurationResult {
    return this.apply(manager, { spec }, force);
  }

  /** Writes an object as POST, PUT and the other patches do. */
  update(manager: string, object: JsonRecord): void {
    const { apiVersion, kind } = this.context;
    const next = { apiVersion, kind, metadata: { name: 't' }, ...object };
    const onProblem = (problem: unknown): void => {
      this.problems.push(problem);
    };
    this.#store(next, trackUpdate(this.context, { live: this.live, next, manager }, onProblem));
  }

  updateSpec(manager: string, spec: unknown): void {
    this.update(manager, { spec });
  }

  get object(): JsonRecord {
    return this.live ?? {};
  }

  get entries(): readonly ManagedFieldsEntry[] {
    const { metadata } = this.object;
    if (typeof metadata !== 'object' || metadata === null || !('managedFields' in metadata)) return [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by this class
    return (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
  }

  /** FieldsV1 of an entry. */
  owned(manager: string, operation: 'Apply' | 'Update' = 'Apply'): unknown {
    return this.entries.find((entry) => entry.manager === manager && entry.operation === operation)?.fieldsV1;
  }

  #store(object: JsonRecord, managedFields: readonly ManagedFieldsEntry[] | undefined): void {
    const bare = withoutManagedFields(object);
    const metadata = { ...metadataOf(bare), uid: 'u', ...(managedFields && { managedFields }) };
    const text = JSON.stringify({ ...bare, metadata });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object was stringified
    this.live = JSON.parse(text) as JsonRecord;
  }
}

const TYPES = new WeakMap<StructSchema, ApplyType>();

function typesOf(schema: StructSchema): ApplyType {
  let type = TYPES.get(schema);
  if (type === undefined) {
    type = new ApplyTypes(new SchemaSet()).type(schema);
    TYPES.set(schema, type);
  }
  return type;
}

/** The message of a conflict. */
export function conflictOf(result: ApplyConfigurationResult): string {
  return result.outcome === 'conflict' ? result.message : 'no conflict';
}
