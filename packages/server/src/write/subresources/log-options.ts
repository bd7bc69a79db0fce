/** The options of `pods/{name}/log`. */

import {
  badRequest,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  firstValue,
  IntegerError,
  invalid,
  parseBoolean,
  parseInt64,
  type Query,
} from '@listwatch/api';

/** The parsed options. */
export interface LogOptions {
  readonly container: string;
  /** The query for the kubelet, in the order of the names. */
  readonly query: string;
}

const FLAGS = ['follow', 'previous', 'timestamps'];
/** The numeric options, with their minimum. */
const NUMBERS: readonly (readonly [string, bigint])[] = [
  ['tailLines', 0n],
  ['limitBytes', 1n],
  ['sinceSeconds', 1n],
];

/** Reads the options. Throws the 400 for an invalid number, the 422 with all other errors. */
export function readLogOptions(query: Query, podName: string): LogOptions {
  const errors: FieldError[] = [];
  const passed = new URLSearchParams();
  for (const flag of FLAGS) if (parseBoolean(firstValue(query, flag))) passed.set(flag, 'true');
  for (const [name, least] of NUMBERS) {
    const text = firstValue(query, name);
    if (text === undefined || text === '') continue;
    const value = integer(text);
    const bound = least === 0n ? 'greater than or equal to 0' : 'greater than 0';
    if (value < least) errors.push(fieldInvalid(name, Number(value), `must be ${bound}`));
    passed.set(name, String(value));
  }
  const sinceTime = firstValue(query, 'sinceTime') ?? '';
  if (sinceTime !== '') passed.set('sinceTime', sinceTime);
  if (sinceTime !== '' && passed.has('sinceSeconds')) {
    errors.push(fieldForbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  }
  // Behind a feature gate that is off.
  if (query.has('stream')) errors.push(fieldForbidden('stream', 'may not be specified'));
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, podName, errors);
  passed.sort();
  return { container: firstValue(query, 'container') ?? '', query: passed.toString() };
}

function integer(text: string): bigint {
  try {
    return parseInt64(text);
  } catch (error) {
    throw error instanceof IntegerError ? badRequest(error.message, error) : error;
  }
}
