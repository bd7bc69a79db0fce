/** All errors and warnings about an object: from its metadata and from the rules of its kind. */

import type { FieldError } from '@listwatch/api';
import { type Findings, NO_FINDINGS } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { finalizerWarnings, validateMetadata, validateMetadataUpdate } from '../metadata/metadata-rules.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';

/** An object that is ready to be stored. */
export interface ReadyObject {
  readonly object: KubeObject;
  /** The stored object, on an update. */
  readonly old?: KubeObject | undefined;
  /** What is written. Default: `''`, the object itself. */
  readonly subresource?: string | undefined;
  /** The errors in the `managedFields` of a request. */
  readonly ownerErrors?: readonly FieldError[] | undefined;
}

/** Validates an object. The errors are in the order of kube-apiserver: metadata first, then the rules of the kind. */
export function objectFindings(
  definition: KindDefinition,
  { object, old, subresource = '', ownerErrors = NO_FINDINGS.errors }: ReadyObject,
): Findings {
  const ofMetadata =
    old === undefined
      ? validateMetadata(definition, object.metadata)
      : validateMetadataUpdate(definition, object.metadata, old.metadata);
  const isRefused = ofMetadata.length > 0 || ownerErrors.length > 0;
  const found = definition.strategy.validate(object, old, subresource, isRefused);
  if (isRefused) return { errors: [...ofMetadata, ...ownerErrors, ...found.errors], warnings: found.warnings };
  if (found.errors.length > 0) return found;
  const finalizers = finalizerWarnings(definition, object.metadata, old?.metadata);
  return finalizers.length === 0 ? found : { errors: found.errors, warnings: [...found.warnings, ...finalizers] };
}
