/** The empty values of scalars. */

import type { ScalarType } from '../schema.ts';

/** What Go writes for a value that nobody has set. */
export const SCALAR_ZEROS: Readonly<Record<ScalarType, unknown>> = {
  any: null,
  bool: false,
  bytes: '',
  duration: '0s',
  fieldsV1: null,
  float64: 0,
  int32: 0,
  int64: 0,
  intOrString: 0,
  json: null,
  microTime: null,
  quantity: '0',
  rawExtension: null,
  string: '',
  time: null,
};
