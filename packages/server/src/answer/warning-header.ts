/** The `Warning` header of successful requests. */

import { HEADER } from '@listwatch/api';
import type { ResponseHeaders } from '../contract/api-response.ts';
import type { ResourceCall } from '../contract/verb.ts';

/** All texts together, in characters: once they are longer, each is cut. */
const MAX_CHARACTERS = 4096;
const MAX_CUT_CHARACTERS = 256;
/** Some proxies and clients refuse answers with larger headers. Kubernetes has no such limit. */
const MAX_BYTES = 8192;

const NAME = HEADER.warning.toLowerCase();

/** The header with all warnings, each as `299 - "text"`; no header when there are none. As Kubernetes limits it. */
export function warningHeader(warnings: readonly string[]): ResponseHeaders {
  if (warnings.length === 0) return {};
  const texts = [...new Set(warnings)].filter(isShown).map((text) => Array.from(text));
  const whole = texts.reduce((sum, { length }) => sum + length, 0) <= MAX_CHARACTERS;
  const values: string[] = [];
  let length = 0;
  let bytes = 0;
  for (const characters of texts) {
    if (length >= MAX_CHARACTERS) break;
    const shown = whole ? characters : characters.slice(0, MAX_CUT_CHARACTERS);
    length += shown.length;
    const value = `299 - "${escapeText(shown.join(''))}"`;
    bytes += value.length + 2;
    if (bytes > MAX_BYTES) break;
    values.push(value);
  }
  return values.length === 0 ? {} : { [NAME]: values.join(', ') };
}

/** What cannot stand in a header is dropped: control characters, and halves of characters. */
function isShown(text: string): boolean {
  return text !== '' && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Gives warnings to a call that has an answer to put them in. */
export function addWarnings({ warn }: Pick<ResourceCall, 'warn'>, warnings: readonly string[] = []): void {
  for (const text of warnings) warn?.(text);
}

/** Header values are bytes: Node writes the characters up to 255 as such. */
function escapeText(text: string): string {
  return Buffer.from(text.replace(/[\\"]/g, '\\$&')).toString('latin1');
}
