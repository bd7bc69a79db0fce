/** Validates objects like a server, without a server. */

import { type ApiObject, type Resource, StatusError } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import type { KubeMetadata, KubeObject } from '../kube-object.ts';
import { keptMetadata, withoutServerFields } from '../metadata/server-fields.ts';
import { BUILT_IN_KINDS } from '../strategy/built-in-kinds.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import { objectFindings } from './object-findings.ts';
import { NotJson } from './plain-json.ts';
import { readObject } from './read-object.ts';
import { type ValidationError, validationErrors } from './validation-error.ts';

/** The options of a validation. */
export interface ValidateOptions {
  /** The object before the change, as a server shows it: the rules of an update apply. Default: the object is new. */
  readonly old?: unknown;
  /** The namespace of an object that names none. Default: `default`. */
  readonly namespace?: string | undefined;
  /** For the few defaults that are times, in milliseconds. Default: the time of the call. */
  readonly now?: number | undefined;
}

/** The result of a validation. */
export interface ValidationResult<T extends ApiObject = ApiObject> {
  /** The object with its defaults, as a server would store it; undefined if it could not be read. */
  readonly object: T | undefined;
  /** At most a hundred; none: the object is valid. */
  readonly errors: readonly ValidationError[];
  /** The warnings that a server would send as `Warning` headers. */
  readonly warnings: readonly string[];
}

/** Are there rules for the objects of this resource? Custom kinds and virtual kinds (reviews) have none. */
export function hasRules(resource: Resource): boolean {
  return definitionOf(resource) !== undefined;
}

/**
 * Validates an object of a built-in kind: decodes it strictly, sets its defaults, and applies the rules of its metadata
 * and its kind. An invalid object never rejects: the result has its errors. Rejects with a RangeError for a resource
 * without rules, and with the error of `import()` when the schemas of the kind cannot be loaded.
 *
 * @example
 * const { errors } = await validate(deployments, object);
 */
export async function validate<T extends ApiObject>(
  resource: Resource<T>,
  object: unknown,
  options: ValidateOptions = {},
): Promise<ValidationResult<T>> {
  const definition = definitionOf(resource);
  if (definition === undefined) {
    throw new RangeError(`there are no rules for ${resource.plural} of ${resource.group || 'the core group'}`);
  }
  await definition.load();
  try {
    const found = validated(definition, object, options);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it fits the schema that T is generated from
    return found as ValidationResult<T>;
  } catch (error) {
    return { object: undefined, errors: [unreadable(error)], warnings: [] };
  }
}

function definitionOf({ group, version, plural }: Resource): KindDefinition | undefined {
  return BUILT_IN_KINDS.find(
    ({ resource }) => resource.plural === plural && resource.group === group && resource.version === version,
  );
}

interface Found {
  readonly object: KubeObject | undefined;
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly string[];
}

function validated(
  definition: KindDefinition,
  value: unknown,
  { old: before, namespace = 'default', now = Date.now() }: ValidateOptions,
): Found {
  const { strategy, resource } = definition;
  const { object: sent, errors: faults } = readObject(definition, value);
  if (sent === undefined) return { object: undefined, errors: faults, warnings: [] };
  const { object: old, errors: oldFaults } = before === undefined ? NOTHING_BEFORE : readObject(definition, before);
  if (oldFaults.length > 0) return { object: undefined, errors: oldFaults.map(ofOld), warnings: [] };
  const place = resource.namespaced ? namespace : '';
  const stored = old && strategy.canonical(inNamespace(old, place));
  const placed = inNamespace(sent, place);
  const object =
    stored === undefined
      ? strategy.prepareForCreate({ ...placed, metadata: newMetadata(placed.metadata) }, now)
      : strategy.prepareForUpdate({ ...placed, metadata: keptMetadata(placed.metadata, stored.metadata) }, stored, now);
  const { errors, warnings } = objectFindings(definition, { object, old: stored });
  return { object: withSentName(object, sent), errors: validationErrors(errors), warnings };
}

const NOTHING_BEFORE = { object: undefined, errors: [] } as const;

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  if (namespace === '' || (object.metadata.namespace ?? '') !== '') return object;
  return { ...object, metadata: extended(object.metadata, { namespace }) };
}

/** Stands for the five characters that a server adds to a `generateName`. */
const ENDING = 'bcdfg';
/** The maximum length of a `generateName`; a server cuts off the rest. */
const BASE_MAX = 63 - ENDING.length;

function newMetadata(metadata: KubeMetadata): KubeMetadata {
  const kept = withoutServerFields(metadata);
  const { name = '', generateName = '' } = kept;
  return name === '' && generateName !== '' ? { ...kept, name: `${generateName.slice(0, BASE_MAX)}${ENDING}` } : kept;
}

/** Removes the placeholder name: the name that a server would generate is unknown. */
function withSentName(object: KubeObject, { metadata: { name: sent = '' } }: KubeObject): KubeObject {
  if (sent !== '') return object;
  const { name: _name, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function ofOld(error: ValidationError): ValidationError {
  return { ...error, message: `the old object: ${error.message}` };
}

/** The error about an object that cannot be validated: too large, too deep, or with a getter that throws. */
function unreadable(error: unknown): ValidationError {
  if (error instanceof NotJson) return { path: '', type: 'FieldValueTooLong', message: error.message };
  if (error instanceof StatusError) return { path: '', type: 'FieldValueInvalid', message: error.message };
  return { path: '', type: 'InternalError', message: error instanceof Error ? error.message : 'the object throws' };
}
