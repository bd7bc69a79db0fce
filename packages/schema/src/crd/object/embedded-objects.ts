/** The objects within an object: `x-kubernetes-embedded-resource`. */

import { checkDns1035Label, type FieldError, fieldErrorText, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { canonical } from '../../decode/canonical.ts';
import { decodeProblem } from '../../decode/decode-problem.ts';
import { unknownFieldPaths } from '../../decode/field-complaints.ts';
import type { MetadataRules } from '../custom-schema.ts';
import { childPath, indexPath, keyPath } from '../error-path.ts';
import type { SchemaPart } from '../schema-part.ts';
import { changedList, changedRecord } from './changed-json.ts';

/** How the metadata of embedded objects is decoded. */
export interface CoercionOptions {
  readonly metadata: MetadataRules;
  /** Malformed fields are dropped. Default: they are errors. */
  readonly dropInvalid?: boolean;
  /** Gets the path of each unknown field of metadata. */
  readonly unknown?: (path: string) => void;
}

/** Why an embedded object cannot be decoded. */
export class CoercionProblem extends Error {
  override readonly name = 'CoercionProblem';
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(fieldErrorText(error));
    this.error = error;
  }
}

/** The value with decoded metadata of all objects within it. Throws a {@link CoercionProblem}. */
export function coerceValue(
  value: unknown,
  part: SchemaPart | undefined,
  path: string,
  options: CoercionOptions,
): unknown {
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = part;
    if (items === undefined) return value;
    return changedList(value, (item, index) => coerceValue(item, items, indexPath(path, index), options));
  }
  if (!isRecord(value)) return value;
  return changedRecord(value, (name, member) => {
    const decoded = part.isEmbedded ? coerceMeta(name, member, path, options) : member;
    const property = part.property(name);
    if (property !== undefined) return coerceValue(decoded, property, childPath(path, name), options);
    return coerceValue(decoded, part.additional, keyPath(path, name), options);
  });
}

function coerceMeta(name: string, value: unknown, path: string, options: CoercionOptions): unknown {
  if (name === 'metadata') return coerceMetadata(value, path, options);
  if ((name !== 'apiVersion' && name !== 'kind') || typeof value === 'string') return value;
  if (options.dropInvalid === true) return undefined;
  throw new CoercionProblem(fieldInvalid(childPath(path, name), value, 'must be a string'));
}

function coerceMetadata(value: unknown, path: string, { metadata, dropInvalid, unknown }: CoercionOptions): unknown {
  const plan = metadata.plan?.();
  if (plan === undefined) return value;
  const problem = decodeProblem(plan, value);
  if (problem !== undefined && dropInvalid !== true) {
    throw new CoercionProblem(fieldInvalid(childPath(path, 'metadata'), value, problem));
  }
  if (!isRecord(value)) return value === null ? {} : value;
  const fitting =
    problem === undefined ? value : fittingMembers(value, (one) => decodeProblem(plan, one) === undefined);
  if (unknown !== undefined) {
    for (const found of unknownFieldPaths(plan, fitting)) unknown(`${childPath(path, 'metadata')}.${found}`);
  }
  return canonical(plan, fitting);
}

function fittingMembers(value: JsonRecord, fits: (member: JsonRecord) => boolean): JsonRecord {
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => fits({ [name]: member })));
}

/** The errors in the embedded objects of a value. `isRoot`: the value itself is an object, too. */
export function embeddedProblems(
  value: unknown,
  part: SchemaPart | undefined,
  path: string,
  { metadata, isRoot = false }: { readonly metadata: MetadataRules; readonly isRoot?: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  collect(value, part, path, { metadata, errors, isRoot });
  return errors;
}

/** A message lists a hundred errors. */
const ERRORS_MAX = 101;

interface Collection {
  readonly metadata: MetadataRules;
  readonly errors: FieldError[];
  readonly isRoot: boolean;
}

function collect(value: unknown, part: SchemaPart | undefined, path: string, collection: Collection): void {
  if (part === undefined || typeof value !== 'object' || value === null) return;
  if (collection.errors.length >= ERRORS_MAX) return;
  const below = collection.isRoot ? { ...collection, isRoot: false } : collection;
  if (Array.isArray(value)) {
    const { items } = part;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      if (typeof item === 'object') collect(item, items, indexPath(path, index), below);
    }
    return;
  }
  if (!isRecord(value)) return;
  if (part.isEmbedded || collection.isRoot) collection.errors.push(...objectProblems(value, path, collection.metadata));
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (typeof member !== 'object' || member === null) continue;
    const property = part.property(name);
    if (property !== undefined) collect(member, property, childPath(path, name), below);
    else collect(member, part.additional, keyPath(path, name), below);
  }
}

function objectProblems(object: JsonRecord, path: string, metadata: MetadataRules): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!Object.hasOwn(object, 'apiVersion')) errors.push(fieldRequired(childPath(path, 'apiVersion')));
  if (!Object.hasOwn(object, 'kind')) errors.push(fieldRequired(childPath(path, 'kind')));
  for (const name of Object.keys(object)) {
    const field = childPath(path, name);
    if (name === 'apiVersion') errors.push(...versionProblems(object[name], field));
    else if (name === 'kind') errors.push(...kindProblems(object[name], field));
    else if (name === 'metadata') errors.push(...metadataProblems(object[name], field, metadata));
  }
  return errors;
}

function versionProblems(value: unknown, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return [fieldInvalid(field, value, 'must be a string')];
  if (value === '') return [fieldInvalid(field, value, 'must not be empty')];
  return value.split('/').length > 2 ? [fieldInvalid(field, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindProblems(value: unknown, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return [fieldInvalid(field, value, 'must be a string')];
  if (value === '') return [fieldInvalid(field, value, 'must not be empty')];
  const complaints = checkDns1035Label(value.toLowerCase());
  if (complaints.length === 0) return [];
  return [fieldInvalid(field, value, `may have mixed case, but should otherwise match: ${complaints.join(',')}`)];
}

function metadataProblems(value: unknown, field: string, { plan, problems }: MetadataRules): readonly FieldError[] {
  const problem = plan === undefined ? undefined : decodeProblem(plan(), value);
  if (problem !== undefined) return [fieldInvalid(field, value, problem)];
  return isRecord(value) ? (problems?.(value, field) ?? []) : [];
}
