/** What a webhook is asked. */

import type { ApiObject } from '@listwatch/api';
import type { Logger } from '../../controller/logger.ts';
import type { Draft } from './draft.ts';
import type { VerdictResult } from './verdict.ts';

export type AdmissionOperation = 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE';

/** The operations of a webhook that names none. */
export type WriteOperation = 'CREATE' | 'UPDATE';

/** Who sent the request. */
export interface RequestUser {
  readonly name: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What requests of all operations have. */
export interface RequestFacts {
  /** Of this call. */
  readonly uid: string;
  /** `''` where the server has not chosen it yet: `generateName` in a mutating webhook, and deletes of collections. */
  readonly name: string;
  /** `''` for objects of the cluster. */
  readonly namespace: string;
  readonly subresource: string | undefined;
  readonly user: RequestUser;
  /** Nothing will be stored: a handler must have no effects outside. */
  readonly dryRun: boolean;
  /** The options of the request: CreateOptions, UpdateOptions, DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the API server stops waiting. */
  readonly signal: AbortSignal;
  /** With the name of the webhook and the object in every line. */
  readonly log: Logger;
}

/** A request; `object` and `old` follow from the operation. */
export type HookRequest<T extends ApiObject, O extends AdmissionOperation = WriteOperation> = O extends 'DELETE'
  ? RequestFacts & { readonly operation: O; readonly object: undefined; readonly old: T }
  : O extends 'UPDATE'
    ? RequestFacts & { readonly operation: O; readonly object: T; readonly old: T }
    : RequestFacts & { readonly operation: O; readonly object: T; readonly old: undefined };

/** Allows, warns or denies. What it throws denies the request with 500. */
export type ValidateHandler<T extends ApiObject, O extends AdmissionOperation = WriteOperation> = (
  request: HookRequest<T, O>,
) => Promise<VerdictResult> | VerdictResult;

/** Changes the draft in place. What it throws denies the request with 500, and so does a draft that JSON cannot hold. */
export type MutateHandler<T extends ApiObject, O extends AdmissionOperation = WriteOperation> = (
  draft: Draft<T>,
  request: HookRequest<T, O>,
) => Promise<VerdictResult> | VerdictResult;
