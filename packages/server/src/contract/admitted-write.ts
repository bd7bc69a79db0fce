/** A write at the end of admission: valid, and about to be committed. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ApiRequest } from './api-request.ts';

/** A write that is about to be committed. */
export interface AdmittedWrite {
  readonly definition: ResourceDefinition;
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old?: KubeObject | undefined;
  /** `''`: the object itself. */
  readonly subresource: string;
}

/** The circumstances of a write. */
export interface ConfirmOptions {
  readonly request: Pick<ApiRequest, 'throwIfAborted' | 'user'>;
  /** Check only. */
  readonly dryRun: boolean;
  /** Adds a `Warning` to the answer, also to a refusal. Default: nobody reads it. */
  readonly warn?: Warn | undefined;
}

/** Takes the text of a warning. */
export type Warn = (text: string) => void;

/** Settles when the write may be committed; undefined at once when nothing has to be waited for. Rejects with the 403. */
export type ConfirmWrite = (write: AdmittedWrite, options: ConfirmOptions) => Promise<void> | undefined;
