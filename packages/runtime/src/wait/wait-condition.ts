/** Conditions to wait for, as `kubectl wait` has them. */

import type { ApiObject } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { ExplainedTest } from '../explained-test.ts';
import { type FieldPath, fieldPathText, parseFieldPath, readField } from './field-path.ts';

/**
 * Says whether the wait is over. It gets the object, or undefined while there is none. A plain function will do; `explain` is
 * for the message when the wait fails. Combine them with `allOf`, `anyOf` and `not`.
 */
export type WaitCondition<T extends ApiObject = ApiObject> = ExplainedTest<T | undefined>;

const ABSENT = 'it does not exist';

/** The object exists. */
export const exists: WaitCondition = named((object) => (object === undefined ? ABSENT : undefined));

/** The object is gone, or another object has its name. */
export const deleted: WaitCondition = named((object) => {
  if (object === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return 'it exists and is not being deleted';
  return `it is being deleted since ${deletionTimestamp} (finalizers: ${finalizers.join(', ') || 'none'})`;
});

/**
 * The object has a condition of this type with this status. Upper and lower case do not matter. A condition that was set for an
 * older generation of the object does not count: `observedGeneration` of the condition, or else of the status, must not be
 * below `metadata.generation`.
 */
export function conditionIs(type: string, status = 'True'): WaitCondition {
  return named((object) => {
    if (object === undefined) return ABSENT;
    const all = readField(object, ['status', 'conditions']);
    const found = (Array.isArray(all) ? all : []).filter(isRecord).find((one) => isSameText(one['type'], type));
    if (found === undefined) return `it has no condition ${type}`;
    const observed = observedGeneration(object, found);
    const { generation } = object.metadata;
    if (generation !== undefined && observed !== undefined && observed < generation) {
      return `condition ${type} is about generation ${observed}, and the object has ${generation}`;
    }
    return isSameText(found['status'], status) ? undefined : `condition ${type} is ${conditionText(found)}`;
  });
}

/**
 * A field has a value: `fieldIs('{.status.phase}', 'Running')`. Values are compared as text. Without a value: the field is there.
 * The path may also be a list of names and indexes. Throws a RangeError for a path that cannot be read.
 */
export function fieldIs(path: FieldPath | string, value?: boolean | number | string): WaitCondition {
  const names = typeof path === 'string' ? parseFieldPath(path) : path;
  const text = fieldPathText(names);
  return named((object) => {
    if (object === undefined) return ABSENT;
    const actual = readField(object, names);
    if (actual === undefined || actual === null) return `it has no field ${text}`;
    if (value === undefined) return undefined;
    // What is stored is JSON: for a text it is the text in quotes.
    const found = typeof actual === 'string' ? actual : JSON.stringify(actual);
    return found === String(value) ? undefined : `the field ${text} is ${JSON.stringify(actual)}`;
  });
}

/** Makes a condition of a function that says why it does not hold. */
function named(problem: (object: ApiObject | undefined) => string | undefined): WaitCondition {
  return Object.assign((object: ApiObject | undefined) => problem(object) === undefined, {
    explain: (object: ApiObject | undefined) => problem(object) ?? 'it holds',
  });
}

function observedGeneration(object: ApiObject, condition: JsonRecord): number | undefined {
  const observed = condition['observedGeneration'] ?? readField(object, ['status', 'observedGeneration']);
  return typeof observed === 'number' ? observed : undefined;
}

function conditionText({ status, reason, message }: JsonRecord): string {
  const why = [reason, message].filter((text) => typeof text === 'string' && text !== '').join(': ');
  return why === '' ? String(status) : `${String(status)} (${why})`;
}

function isSameText(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase();
}
