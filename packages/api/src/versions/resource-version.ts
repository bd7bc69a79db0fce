/** Resource versions: the API's opaque strings, ordered without ever becoming a JavaScript number. */

import { quote } from '../names/quote.ts';
import { PARAM } from '../paths/wire-names.ts';
import { type FieldError, fieldErrorText, fieldInvalid } from '../status/field-error.ts';
import { ListWatchError } from '../status/listwatch-error.ts';
import { IntegerError, parseUint64 } from './integer.ts';

declare const brand: unique symbol;

/**
 * The version of an object or a collection: a positive decimal without leading zeros, of any length. `''` and `'0'` are
 * wishes that a request can have, not versions.
 */
export type ResourceVersion = string & { readonly [brand]: 'ResourceVersion' };

/** Text that is not a resource version. The message is the one that Kubernetes sends. */
export class ResourceVersionError extends ListWatchError {
  override readonly code = 'RESOURCE_VERSION' as const;
  /** The same complaint as a field error, for answers that prefix or shorten the message. */
  readonly fieldError: FieldError;

  constructor(fieldError: FieldError, options?: ErrorOptions) {
    super(fieldErrorText(fieldError), options);
    this.fieldError = fieldError;
  }
}

const ZERO = 0x30;
const NINE = 0x39;

/** Is `text` a well-formed resource version? Whatever a server has sent may be asked about: a number is none. */
export function isResourceVersion(text: unknown): text is ResourceVersion {
  if (typeof text !== 'string' || text === '' || text.charCodeAt(0) === ZERO) return false;
  // By hand: it is asked of every event, and a regular expression costs three times as much.
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

/** Takes text from the wire as a resource version. Throws a TypeError when it is not well-formed. */
export function resourceVersion(text: string): ResourceVersion {
  if (!isResourceVersion(text)) throw new TypeError(`resource version is not well formed: ${quote(text)}`);
  return text;
}

/**
 * Orders two versions: negative, zero or positive. The order means something only between versions of one resource on
 * one server. Fit for `sort`.
 */
export function compareResourceVersions(left: ResourceVersion, right: ResourceVersion): -1 | 0 | 1 {
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The version that shows a storage revision to clients. Throws a RangeError unless it is positive. */
export function resourceVersionOf(revision: bigint): ResourceVersion {
  if (revision <= 0n) throw new RangeError(`a resource version is positive, not ${revision}`);
  return resourceVersion(String(revision));
}

/** The storage revision behind a version. */
export function revisionOf(version: ResourceVersion): bigint {
  return BigInt(version);
}

/**
 * Reads the `resourceVersion` of a request as a server does: an unsigned integer of 64 bits, leading zeros allowed, `''`
 * like `'0'`. Throws `ResourceVersionError`.
 */
export function parseResourceVersion(text: string): bigint {
  if (text === '') return 0n;
  try {
    return parseUint64(text);
  } catch (error) {
    if (!(error instanceof IntegerError)) throw error;
    throw new ResourceVersionError(fieldInvalid(PARAM.resourceVersion, text, error.message), { cause: error });
  }
}
