/** The schemas of kinds, loaded a package at a time when a request first needs them: the start of a server loads none. */

import { type JsonRecord } from '@listwatch/api/values';
import { loadPackages } from '@listwatch/kinds/data';
import {
  type ApplyType,
  ApplyTypes,
  DecodePlans,
  type MessagePlan,
  MessagePlans,
  SchemaSet,
  type StructPlan,
  type TypeName,
  zeroObject,
} from '@listwatch/schema';
import { FIELD_SIZES } from './field-sizes.ts';

/** Schemas that grow, with the plans made from them. */
export class KindSchemas {
  readonly set: SchemaSet = new SchemaSet();
  readonly #plans: DecodePlans = new DecodePlans(this.set, { sizes: FIELD_SIZES, nullsEmptyLists });
  readonly #messages: MessagePlans = new MessagePlans(this.set);
  readonly #applyTypes: ApplyTypes = new ApplyTypes(this.set);
  readonly #zeros = new Map<TypeName, JsonRecord>();
  readonly #loading = new Map<string, Promise<void>>();

  /** Loads the schema of a type and of all that it refers to; undefined when they are loaded. */
  load(type: TypeName): Promise<void> | undefined {
    const name = packageName(type);
    if (this.set.hasPackage(name)) return undefined;
    const known = this.#loading.get(name);
    if (known !== undefined) return known;
    // A package that could not be read may be there at the next attempt.
    const loading = this.#add(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  /** Loads the schemas of several types. */
  async loadAll(types: Iterable<TypeName>): Promise<void> {
    await Promise.all(Array.from(types, async (type) => this.load(type)));
  }

  /** Is the schema of a type loaded? */
  has(type: TypeName): boolean {
    return this.set.has(type);
  }

  /** How objects of a type are decoded. Throws a RangeError for a type that is not loaded. */
  plan(type: TypeName): StructPlan {
    return this.#plans.struct(type);
  }

  /** How objects of a type are written in protobuf. Throws as `plan` does. */
  message(type: TypeName): MessagePlan {
    return this.#messages.message(type);
  }

  /** Which parts of objects of a type have owners of their own. Throws as `plan` does. */
  applyType(type: TypeName): ApplyType {
    return this.#applyTypes.type(type);
  }

  /** The JSON of an object of a type that nobody has filled. Throws as `plan` does. */
  zero(type: TypeName): JsonRecord {
    const known = this.#zeros.get(type);
    if (known !== undefined) return known;
    const zero = zeroObject(this.set, type);
    this.#zeros.set(type, zero);
    return zero;
  }

  async #add(name: string): Promise<void> {
    const packages = await loadPackages([name]);
    // Another package may have brought some of them meanwhile.
    this.set.add(packages.filter((one) => !this.set.hasPackage(one.name)));
  }
}

/** Kubernetes stores these in JSON, or not at all: an empty list stays one. */
const NOT_PROTOBUF: readonly string[] = [
  'apiextensions/v1',
  'apiregistration/v1',
  'authentication/v1',
  'authorization/v1',
];

function nullsEmptyLists(type: string): boolean {
  return type !== '' && !NOT_PROTOBUF.includes(type.slice(0, type.lastIndexOf('.')));
}

/** The schemas of the built-in kinds: the same for all servers of a process, because they are data. */
export const BUILT_IN_SCHEMAS: KindSchemas = new KindSchemas();

function packageName(type: TypeName): string {
  return type.slice(0, type.lastIndexOf('.'));
}
