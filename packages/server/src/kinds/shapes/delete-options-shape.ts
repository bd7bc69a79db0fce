/** The shape of what a delete may ask for: for protobuf. JSON is checked by rules whose messages name other types. */
import { list, type StructShape, struct } from './shape.ts';

const PRECONDITIONS: StructShape = struct('Preconditions', {
  uid: '*string',
  resourceVersion: '*string',
});

/** The shape of a DeleteOptions. */
export const DELETE_OPTIONS: StructShape = struct('DeleteOptions', {
  gracePeriodSeconds: '*int64',
  preconditions: PRECONDITIONS,
  orphanDependents: '*bool',
  propagationPolicy: '*string',
  dryRun: list('string'),
});
