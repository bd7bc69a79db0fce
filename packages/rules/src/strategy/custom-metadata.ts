/** The metadata of custom objects, and of objects within them: the same for every kind. */

import { recordOf } from '@listwatch/api/values';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { canonical, type MetadataRules, type StructPlan } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { newObjectBudget } from './size-budget.ts';

/** The type of metadata. */
export const METADATA_TYPE = 'meta/v1.ObjectMeta';

/** How metadata is decoded. Its schema is loaded before a verb runs. */
export function metadataPlan(): StructPlan {
  return BUILT_IN_SCHEMAS.plan(METADATA_TYPE);
}

/** The decoder of the metadata of embedded objects. */
export const EMBEDDED_METADATA: MetadataRules = { plan: metadataPlan };

/** The stored form of the object: kind and apiVersion first, and metadata in canonical form. */
export function canonicalCustom({ kind, apiVersion, metadata, ...rest }: KubeObject): KubeObject {
  const meta = recordOf(canonical(metadataPlan(), metadata, newObjectBudget()));
  return { kind, apiVersion, metadata: meta, ...rest };
}
