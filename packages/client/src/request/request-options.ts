/** The names of the options of each request. */

import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListQuery,
  ObjectTarget,
  PatchOptions,
  WatchQuery,
  WriteOptions,
} from '../cluster.ts';
import type { OptionNames } from './option-names.ts';

export const TARGET_NAMES: OptionNames<ObjectTarget> = { name: true, namespace: true };

export const GET_NAMES: OptionNames<GetOptions> = {
  signal: true,
  subresource: true,
  projection: true,
  resourceVersion: true,
};

export const WRITE_NAMES: OptionNames<WriteOptions> = {
  signal: true,
  subresource: true,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
};

export const PATCH_NAMES: OptionNames<PatchOptions> = { ...WRITE_NAMES, force: true };

export const APPLY_NAMES: OptionNames<ApplyOptions> = { ...WRITE_NAMES, force: true };

export const DELETE_NAMES: OptionNames<DeleteOptions> = {
  signal: true,
  dryRun: true,
  gracePeriodSeconds: true,
  propagationPolicy: true,
  preconditions: true,
};

export const LIST_NAMES: OptionNames<ListQuery> = {
  signal: true,
  projection: true,
  decode: true,
  continue: true,
  fieldSelector: true,
  labelSelector: true,
  limit: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  timeoutSeconds: true,
  namespace: true,
};

export const WATCH_NAMES: OptionNames<WatchQuery> = {
  signal: true,
  projection: true,
  decode: true,
  allowWatchBookmarks: true,
  fieldSelector: true,
  labelSelector: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  sendInitialEvents: true,
  timeoutSeconds: true,
  namespace: true,
  heartbeatMs: true,
  deadlineMarginMs: true,
  listwatchProgress: true,
};

export const COLLECTION_NAMES: OptionNames<Pick<ListQuery, 'fieldSelector' | 'labelSelector' | 'namespace'>> = {
  fieldSelector: true,
  labelSelector: true,
  namespace: true,
};
