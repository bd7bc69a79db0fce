/** One schema within `openAPIV3Schema`, ready for use. Parts are made when a value first needs them, and kept by identity. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { memoOf } from './json-memo.ts';
import type { PartRules } from './object/part-rules.ts';

/** The part of a schema; the same one each time. */
export function partOf(source: JsonRecord): SchemaPart {
  const memo = memoOf(source);
  memo.part ??= new SchemaPart(source);
  return memo.part;
}

const NO_TYPES: readonly string[] = [];
const INTEGER_OR_STRING: readonly string[] = ['integer', 'string'];
const NO_NAMES: readonly string[] = [];

/** A schema with lazy access to the schemas below it. Keywords with a value of the wrong type count as absent. */
export class SchemaPart {
  readonly source: JsonRecord;
  /** `''` for none. */
  readonly type: string;
  /** The types that a value may have; two for `x-kubernetes-int-or-string`. Empty: any type. */
  readonly types: readonly string[];
  readonly isNullable: boolean;
  /** `undefined` for none: a default of null is none. */
  readonly default: unknown;
  readonly keepsUnknown: boolean;
  readonly isEmbedded: boolean;
  readonly isIntOrString: boolean;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly mapType: string | undefined;
  /** `additionalProperties` is given, as a schema or as a boolean. */
  readonly hasAdditional: boolean;
  /** `additionalProperties: false`. */
  readonly forbidsAdditional: boolean;
  /** The rules beside the shape; `rulesOf` reads them on first use. */
  rules: PartRules | undefined;
  readonly #properties: JsonRecord | undefined;
  readonly #known = new Map<string, SchemaPart>();
  #additional: SchemaPart | null | undefined;
  #items: SchemaPart | null | undefined;
  #defaulted: readonly (readonly [string, SchemaPart])[] | undefined;

  constructor(source: JsonRecord) {
    this.source = source;
    this.type = text(source['type']) ?? '';
    this.isIntOrString = source['x-kubernetes-int-or-string'] === true;
    this.types = this.isIntOrString ? INTEGER_OR_STRING : this.type === '' ? NO_TYPES : [this.type];
    this.isNullable = source['nullable'] === true;
    this.default = source['default'] ?? undefined;
    this.keepsUnknown = source['x-kubernetes-preserve-unknown-fields'] === true;
    this.isEmbedded = source['x-kubernetes-embedded-resource'] === true;
    this.listType = text(source['x-kubernetes-list-type']);
    this.listKeys = texts(source['x-kubernetes-list-map-keys']);
    this.mapType = text(source['x-kubernetes-map-type']);
    const additional = source['additionalProperties'];
    this.hasAdditional = isRecord(additional) || typeof additional === 'boolean';
    this.forbidsAdditional = additional === false;
    const properties = source['properties'];
    this.#properties = isRecord(properties) ? properties : undefined;
  }

  /** The schema of a declared property. */
  property(name: string): SchemaPart | undefined {
    const known = this.#known.get(name);
    if (known !== undefined || this.#properties === undefined) return known;
    // Names such as `constructor` must not find inherited members.
    const source = Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined;
    if (!isRecord(source)) return undefined;
    const part = partOf(source);
    this.#known.set(name, part);
    return part;
  }

  /** The names of the declared properties. */
  propertyNames(): readonly string[] {
    return this.#properties === undefined ? NO_NAMES : Object.keys(this.#properties);
  }

  /** The schema of properties that are not declared. */
  get additional(): SchemaPart | undefined {
    this.#additional ??= below(this.source['additionalProperties']);
    return this.#additional ?? undefined;
  }

  /** The schema of the items of a list. */
  get items(): SchemaPart | undefined {
    this.#items ??= below(this.source['items']);
    return this.#items ?? undefined;
  }

  /** The schema of a member of an object: of a declared property, or of all others. */
  member(name: string): SchemaPart | undefined {
    return this.property(name) ?? this.additional;
  }

  /** The properties with a default. */
  get defaulted(): readonly (readonly [string, SchemaPart])[] {
    this.#defaulted ??= this.propertyNames().flatMap((name) => {
      const part = this.property(name);
      return part?.default === undefined ? [] : [[name, part] as const];
    });
    return this.#defaulted;
  }
}

function below(source: unknown): SchemaPart | null {
  return isRecord(source) ? partOf(source) : null;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : NO_NAMES;
}
