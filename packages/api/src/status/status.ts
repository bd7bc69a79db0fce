/** Status: the object with which the API answers when there is no other object to answer with. */
import type { ListMeta } from '../objects/api-object.ts';
import { isRecord } from '../values/json-value.ts';
import { cutText } from './bounded-text.ts';

/** The reasons that Kubernetes gives, in a list so that code can tell a known reason from an unknown one. */
export const STATUS_REASONS = [
  'AlreadyExists',
  'BadRequest',
  'Conflict',
  'Expired',
  'Forbidden',
  'Gone',
  'InternalError',
  'Invalid',
  'MethodNotAllowed',
  'NotAcceptable',
  'NotFound',
  'RequestEntityTooLarge',
  'ServerTimeout',
  'ServiceUnavailable',
  'StorageReadError',
  'Timeout',
  'TooManyRequests',
  'Unauthorized',
  'UnsupportedMediaType',
] as const;

/** A reason that Kubernetes gives. */
export type KnownStatusReason = (typeof STATUS_REASONS)[number];

/** Why a request failed. `''` is "no reason given"; servers may invent others. */
export type StatusReason = KnownStatusReason | '' | (string & Record<never, never>);

/** One of several causes of a failure. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a Status is about. Empty parts are absent. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The resource or the kind, whichever the failure is about. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The wire object. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: string;
  readonly metadata?: ListMeta;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Is this decoded JSON a Status? Checks the parts that code relies on. */
export function isStatus(value: unknown): value is Status {
  if (!isRecord(value) || value['kind'] !== 'Status') return false;
  return (
    typeof value['apiVersion'] === 'string' &&
    isOptional(value['status'], 'string') &&
    isOptional(value['message'], 'string') &&
    isOptional(value['reason'], 'string') &&
    isOptional(value['code'], 'number') &&
    (value['details'] === undefined || isDetails(value['details']))
  );
}

/** What a failure consists of; see `failureStatus`. */
export interface Failure {
  /** The HTTP status code. */
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  /** Absent: the Status has no details. Empty parts are left out of the ones given. */
  readonly details?: StatusDetails;
  /** Absent: `{}`. */
  readonly metadata?: ListMeta;
}

/** The longest name in a Status: characters. A legal name has 253. */
export const NAME_MAX = 1024;

/** The longest message of a Status: characters. What a client sent may stand in it, and may be megabytes long. */
const MESSAGE_MAX = 131_072;

/** The Status of a failure, its members in the order of the wire, empty ones left out and long texts cut. */
export function failureStatus({ code, reason, message, details, metadata }: Failure): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: metadata ?? {},
    status: 'Failure',
    ...(message === '' ? {} : { message: cutText(message, MESSAGE_MAX) }),
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: withoutEmpty(details) }),
    code,
  };
}

/** The Status of a success, such as the answer to a delete. */
export function successStatus(details: StatusDetails): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: withoutEmpty(details) };
}

function withoutEmpty({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): StatusDetails {
  return {
    ...(name ? { name: cutText(name, NAME_MAX) } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes && causes.length > 0 ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

function isDetails(value: unknown): boolean {
  return (
    isRecord(value) &&
    isOptional(value['retryAfterSeconds'], 'number') &&
    isOptional(value['name'], 'string') &&
    isOptional(value['group'], 'string') &&
    isOptional(value['kind'], 'string') &&
    isOptional(value['uid'], 'string') &&
    (value['causes'] === undefined || (Array.isArray(value['causes']) && value['causes'].every(isCause)))
  );
}

function isCause(value: unknown): boolean {
  return (
    isRecord(value) &&
    isOptional(value['reason'], 'string') &&
    isOptional(value['message'], 'string') &&
    isOptional(value['field'], 'string')
  );
}

function isOptional(value: unknown, type: 'number' | 'string'): boolean {
  return value === undefined || typeof value === type;
}
