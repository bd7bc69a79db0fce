/** The values at the paths of `subresources.scale`. */

import type { JsonRecord } from '../decode/json-record.ts';

/** What is at a path. `problem`: something on the way is no object, or the value is of another type. */
export interface ScaleValue<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** The integer at a path such as `.spec.replicas`; no value when it is absent. */
export function scaleReplicas(_object: JsonRecord, _path: string): ScaleValue<number> {
  throw new Error('not yet');
}

/** The text at a path such as `.status.selector`; no value when it is absent. */
export function scaleSelector(_object: JsonRecord, _path: string): ScaleValue<string> {
  throw new Error('not yet');
}

/** The object with this number of replicas at the path; objects on the way are made. */
export function withReplicas<T extends JsonRecord>(_object: T, _path: string, _replicas: number): T {
  throw new Error('not yet');
}
