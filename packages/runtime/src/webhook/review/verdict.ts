/** What a webhook answers: nothing, warnings, a denial. */

import { ListWatchError } from '@listwatch/api';

/** What a denial may say beside its message. */
export interface DenialOptions {
  /** The HTTP status of the answer, 400 to 599. Default: 403. */
  readonly code?: number | undefined;
  /** For programs, such as `Invalid`. Default: the one that Kubernetes has for the code. */
  readonly reason?: string | undefined;
  /** The fields that are wrong. kubectl shows them. */
  readonly causes?: readonly DenialCause[] | undefined;
}

/** One reason of a denial. */
export interface DenialCause {
  /** The path of the field, such as `spec.replicas`. */
  readonly field?: string | undefined;
  readonly message: string;
  /** Such as `FieldValueInvalid`. */
  readonly reason?: string | undefined;
}

/** A refusal. Return it, or throw it from a function that the handler calls. */
export class AdmissionDenied extends ListWatchError {
  override readonly code = 'DENIED';
  readonly httpCode: number;
  readonly reason: string;
  readonly causes: readonly DenialCause[];

  constructor(message: string, options: DenialOptions = {}) {
    super(message);
    const { code = 403, reason = REASONS.get(code) ?? '', causes = [] } = options;
    if (!(Number.isInteger(code) && code >= 400 && code <= 599))
      throw new RangeError(`the code of a denial must be 400 to 599, not ${code}`);
    this.httpCode = code;
    this.reason = reason;
    this.causes = causes;
  }
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'Conflict'],
  [413, 'RequestEntityTooLarge'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** Texts that the client shows to its user; the request goes on. */
export interface AdmissionWarning {
  readonly warnings: readonly string[];
}

/** Facts for the audit log of the API server. */
export interface AdmissionNote {
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

export type HookVerdict = AdmissionDenied | AdmissionNote | AdmissionWarning;

/** What a handler returns. Nothing: the request is allowed. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a handler without a return is one that allows
export type VerdictResult = HookVerdict | readonly HookVerdict[] | undefined | void;

/**
 * Refuses the request. Return it: a denial that is made and not returned has no effect.
 *
 * @example
 * if (object.spec.retention < 1) return deny('spec.retention must be at least 1', { code: 422 });
 */
export function deny(message: string, options?: DenialOptions): AdmissionDenied {
  return new AdmissionDenied(message, options);
}

/** Warns the user, who sees each text as a line of kubectl. */
export function warn(...warnings: readonly string[]): AdmissionWarning {
  return { warnings };
}

/** Adds facts to the audit log of the API server, under the name of the webhook. */
export function audit(auditAnnotations: Readonly<Record<string, string>>): AdmissionNote {
  return { auditAnnotations };
}

/** The parts of a result, put together. */
export interface CollectedVerdict {
  readonly denied: AdmissionDenied | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Throws a TypeError for what is no verdict: `false`, for one, must not count as an allowance. */
export function collectVerdict(result: unknown): CollectedVerdict {
  const parts: readonly unknown[] = result === undefined ? [] : Array.isArray(result) ? result : [result];
  let denied: AdmissionDenied | undefined;
  const warnings: string[] = [];
  const auditAnnotations: Record<string, string> = {};
  for (const part of parts) {
    if (isDenial(part)) denied ??= part;
    else if (isWarning(part)) warnings.push(...part.warnings.map(String));
    else if (isNote(part)) Object.assign(auditAnnotations, part.auditAnnotations);
    else throw new TypeError(`a webhook returns deny(...), warn(...), audit(...) or nothing, not ${shown(part)}`);
  }
  return { denied, warnings, auditAnnotations };
}

/** By its members: a program may have loaded this package twice. */
export function isDenial(value: unknown): value is AdmissionDenied {
  return value instanceof Error && 'code' in value && value.code === 'DENIED' && 'httpCode' in value;
}

function isWarning(value: unknown): value is AdmissionWarning {
  return typeof value === 'object' && value !== null && 'warnings' in value && Array.isArray(value.warnings);
}

function isNote(value: unknown): value is AdmissionNote {
  return typeof value === 'object' && value !== null && 'auditAnnotations' in value;
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `an object with ${Object.keys(value).join(', ')}`
    : String(value);
}
