/** Fields of the metadata that only the server sets. */

import { isJsonNumber } from '@listwatch/api/values';
import type { KubeMetadata } from '../kube-object.ts';

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Drops fields that clients may not set from the metadata of a new object. */
export function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}

/** The metadata of a changed object, with the old values of fields that clients may not change. */
export function keptMetadata(metadata: KubeMetadata, old: KubeMetadata): KubeMetadata {
  const { generation: _generation, selfLink: _link, managedFields: _managers, ...rest } = metadata;
  return {
    ...rest,
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(rest.uid || old.uid === undefined ? {} : { uid: old.uid }),
    ...(old.creationTimestamp === undefined ? {} : { creationTimestamp: old.creationTimestamp }),
    ...(old.deletionTimestamp === undefined ? {} : { deletionTimestamp: old.deletionTimestamp }),
    ...(old.deletionGracePeriodSeconds === undefined || isJsonNumber(rest.deletionGracePeriodSeconds)
      ? {}
      : { deletionGracePeriodSeconds: old.deletionGracePeriodSeconds }),
  };
}
