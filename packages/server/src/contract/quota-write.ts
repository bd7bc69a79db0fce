/** A write as the quotas of its namespace see it. */

import type { KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ApiRequest } from './api-request.ts';

/** A write that is about to be committed. */
export interface QuotaWrite {
  readonly definition: ResourceDefinition;
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old?: KubeObject | undefined;
  /** `''`: the object itself. */
  readonly subresource: string;
}

/** How a write is charged. */
export interface ChargeOptions {
  /** A client that has left is not charged. */
  readonly request: Pick<ApiRequest, 'throwIfAborted'>;
  /** Check only. */
  readonly dryRun: boolean;
}

/** Settles when the write may be committed; undefined at once when no quota concerns it. Rejects with the 403. */
export type ChargeQuotas = (write: QuotaWrite, options: ChargeOptions) => Promise<void> | undefined;
