/** Continue tokens: where the next page of a list begins, and at which version. */

import { jsonSyntaxError } from '../objects/json-syntax.ts';
import { META_GROUP } from '../paths/wire-names.ts';
import { badRequest } from '../status/failures.ts';
import type { StatusError } from '../status/status-error.ts';
import { isRecord, type JsonRecord } from '../values/json-value.ts';
import { parseInt64 } from '../versions/integer.ts';
import { decodeBase64Url, encodeBase64Url } from './base64url.ts';

/** What a token holds. */
export interface ContinueToken {
  /** The revision that all pages show; `undefined` goes on at the latest one, at the price of consistency. */
  readonly revision: bigint | undefined;
  /**
   * The first key of the page, relative to the list: the last key of the page before and a NUL. Encoding keeps a slash
   * at its beginning, decoding takes it away: both forms are in use and mean the same.
   */
  readonly start: string;
}

const VERSION = `${META_GROUP}/v1`;
const LATEST = '-1';

/** Prints a token. Throws a RangeError for a revision that is not positive. */
export function encodeContinueToken({ revision, start }: ContinueToken): string {
  if (revision !== undefined && revision <= 0n) throw new RangeError(`a revision is positive, not ${revision}`);
  // The revision is written by hand: as a JavaScript number it would lose digits.
  const json = `{"v":"${VERSION}","rv":${revision ?? LATEST},"start":${JSON.stringify(start)}}`;
  return encodeBase64Url(new TextEncoder().encode(json));
}

/** Reads a token. Throws the 400 `StatusError` that Kubernetes answers to a bad one. */
export function decodeContinueToken(token: string): ContinueToken {
  const { v, rv, start } = readFields(token);
  if (v !== VERSION) throw refused(`: server does not recognize this encoded version ${v}`);
  if (rv === 0n) throw refused(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (start === '') throw refused(`: encoded start key empty (version ${VERSION})`);
  const key = start.startsWith('/') ? start.slice(1) : start;
  // A key such as `../secrets` would reach beyond the list that the client may see.
  if (key !== '' && key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw refused(`: ${start}`);
  }
  return { revision: rv > 0n ? rv : undefined, start: key };
}

interface TokenFields {
  readonly v: string;
  readonly rv: bigint;
  readonly start: string;
}

function readFields(token: string): TokenFields {
  const bytes = decode(token);
  const json = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const value = parse(json, bytes);
  if (value !== null && !isRecord(value)) {
    throw refused(`: json: cannot unmarshal ${typeName(value)} into Go value of type storage.continueToken`);
  }
  const fields = value ?? {};
  return {
    v: textField(fields, 'v'),
    rv: revisionField(fields, json),
    start: textField(fields, 'start'),
  };
}

function decode(token: string): Uint8Array {
  try {
    return decodeBase64Url(token);
  } catch (error) {
    throw refused(`: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(json: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw refused(`: ${jsonSyntaxError(bytes) ?? String(error)}`);
  }
}

function textField(fields: JsonRecord, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw mistyped(typeName(value), name, 'string');
  return value;
}

const REVISION = /"rv"\s*:\s*([-+.0-9eE]+)/g;

function revisionField(fields: JsonRecord, json: string): bigint {
  const value = fields['rv'] ?? 0;
  if (typeof value !== 'number') throw mistyped(typeName(value), 'rv', 'int64');
  if (value === 0) return 0n;
  // The digits come from the text: parsing has already rounded a number beyond 2^53.
  const literals = [...json.matchAll(REVISION)].map((match) => match[1]);
  const literal = literals.findLast((text) => Number(text) === value) ?? String(value);
  try {
    return parseInt64(literal);
  } catch {
    throw mistyped(`number ${literal}`, 'rv', 'int64');
  }
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function mistyped(actual: string, name: string, wanted: string): StatusError {
  return refused(`: json: cannot unmarshal ${actual} into Go struct field continueToken.${name} of type ${wanted}`);
}

function refused(why: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
