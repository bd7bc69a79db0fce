/** The `Warning` header of successful requests. */

import { HEADER } from '@listwatch/api';
import type { ResponseHeaders } from '../contract/api-response.ts';
import type { ResourceCall } from '../contract/verb.ts';

/** The longest header. Some proxies refuse answers with larger headers. */
const MAX_LENGTH = 4096;

const NAME = HEADER.warning.toLowerCase();

/** The header with all warnings, each as `299 - "text"`; no header when there are none. */
export function warningHeader(warnings: readonly string[]): ResponseHeaders {
  const values: string[] = [];
  let length = 0;
  for (const warning of new Set(warnings)) {
    const value = `299 - "${escapeText(warning)}"`;
    length += value.length + 2;
    if (length > MAX_LENGTH) break;
    values.push(value);
  }
  return values.length === 0 ? {} : { [NAME]: values.join(', ') };
}

/** Gives warnings to a call that has an answer to put them in. */
export function addWarnings({ warn }: Pick<ResourceCall, 'warn'>, warnings: readonly string[] = []): void {
  for (const text of warnings) warn?.(text);
}

/** Header values hold one line of Latin-1 at most; a client's own field names may hold anything. */
function escapeText(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/gu, (character) => (/\s/.test(character) ? ' ' : '?'));
}
