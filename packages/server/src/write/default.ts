/** Fills the defaults of the kind, and drops metadata that only the server sets. */

import { type KubeMetadata, type KubeObject, withoutServerFields } from '@listwatch/rules/internal';
import type { Write } from './write.ts';

/**
 * Brings the object into canonical form with the defaults of its kind, for mutating admission. `complete` sets the
 * name, uid and timestamps of a new object later, as in Kubernetes.
 */
export function fill(write: Write): undefined {
  const { asked, old, store } = write;
  const { strategy } = write.call.definition;
  const metadata = old === undefined ? unborn(withoutServerFields(asked.metadata)) : unowned(asked.metadata);
  const placed: KubeObject = metadata === asked.metadata ? asked : { ...asked, metadata };
  write.prepared = strategy.withDefaults(strategy.canonical(placed, write.formed), store.clock.now());
}

function unborn(metadata: KubeMetadata): KubeMetadata {
  if (metadata.uid === undefined && metadata.creationTimestamp === undefined) return metadata;
  const { uid: _uid, creationTimestamp: _time, ...rest } = metadata;
  return rest;
}

/** Drops `managedFields`, which `own` computes, and `selfLink`. */
function unowned(metadata: KubeMetadata): KubeMetadata {
  if (metadata['managedFields'] === undefined && metadata['selfLink'] === undefined) return metadata;
  const { managedFields: _owners, selfLink: _link, ...rest } = metadata;
  return rest;
}
