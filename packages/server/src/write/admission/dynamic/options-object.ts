/** The options of a request as webhooks and policies see them: as sent, with the fields in Kubernetes' order. */

import { firstValue, META_GROUP, PARAM, parseQuery } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { DeletionOptions } from '../../deletion/delete-options.ts';

const API_VERSION = `${META_GROUP}/v1`;

/** `CreateOptions` or `UpdateOptions`, also those of a patch. */
export function writeOptionsObject(kind: 'CreateOptions' | 'UpdateOptions', queryString: string): JsonRecord {
  const type = { kind, apiVersion: API_VERSION };
  if (queryString === '') return type;
  const query = parseQuery(queryString);
  const dryRun = query.get(PARAM.dryRun) ?? [];
  const fieldManager = firstValue(query, PARAM.fieldManager) ?? '';
  const fieldValidation = firstValue(query, PARAM.fieldValidation) ?? '';
  return {
    ...type,
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  };
}

/** `DeleteOptions`. */
export function deleteOptionsObject(options: DeletionOptions): JsonRecord {
  const { gracePeriodSeconds, uid, resourceVersion, orphanDependents, propagationPolicy, dryRun } = options;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    kind: 'DeleteOptions',
    apiVersion: API_VERSION,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(options.ignoresReadError ? { ignoreStoreReadErrorWithClusterBreakingPotential: true } : {}),
  };
}
