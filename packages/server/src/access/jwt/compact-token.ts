/** JSON Web Tokens in their compact form, before anything of them is verified. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

/** The parts of a token. */
export interface CompactToken {
  readonly header: JsonRecord;
  readonly claims: JsonRecord;
  /** What the signature is about. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Tokens with hundreds of groups have 20 KB. */
export const TOKEN_MAX_CHARACTERS: number = 64 * 1024;
/** Claims are flat, or nearly so. Deeper ones would cost every expression that walks them. */
const DEPTH_MAX = 16;
const BASE64URL = /^[A-Za-z0-9_-]+$/u;

/** Reads a token; undefined when it is not one, or larger or deeper than any that a provider issues. */
export function readCompactToken(token: string): CompactToken | undefined {
  if (token.length > TOKEN_MAX_CHARACTERS) return undefined;
  const parts = token.split('.', 4);
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return undefined;
  const [head = '', body = '', signature = ''] = parts;
  const header = recordIn(head);
  const claims = header === undefined ? undefined : recordIn(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function recordIn(part: string): JsonRecord | undefined {
  const text = Buffer.from(part, 'base64url').toString('utf8');
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings, before anything is parsed. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
