/** How a string is written in YAML, so that readers of YAML 1.1 and 1.2 take it for that string. */

import { plainScalar } from '../stored/yaml-scalar.ts';

/** What may stand without quotes, as far as its characters go. */
const PLAIN = /^[\p{L}\d_./(+\\^$<=;~-][^\p{C}\p{Zl}\p{Zp}]*$/u;
/** Would end a plain scalar: a key, a comment, trailing space; or would start something else: a list item, a document. */
const BREAKS_PLAIN = /:\s|:$|\s#|\s$|^-(?:\s|$|--)|^\.\.\.|^[=<]/;
/** Numbers of any base, times and dates, in any version of YAML. */
const LIKE_NUMBER = /^[-+.]?[\d.][\d_.,:a-fxoA-FXOTZtz+ -]*$/;
/** What may stand between single quotes: printable, on one line. */
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
/** What a block may hold: anything that is printable, and does not start with space. */
const BLOCK = /^[^\p{C}\s](?:[^\p{C}\u2028\u2029]|[\n\t])*$/u;
/** What JSON leaves as it is and YAML does not allow. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A string as a key: on one line. */
export function yamlKey(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

/** A string as a value, with the lines of a block indented by `indent`. */
export function yamlString(text: string, indent: string): string {
  if (isPlain(text)) return text;
  return text.includes('\n') && BLOCK.test(text) ? block(text, indent) : quoted(text);
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !BREAKS_PLAIN.test(text) && !isAmbiguous(text);
}

/** Is it something else than a string without quotes? */
function isAmbiguous(text: string): boolean {
  return LIKE_NUMBER.test(text) || plainScalar(text) !== text;
}

/** As Go does: single quotes where nothing has to be escaped, double quotes for what looks like another type. */
function quoted(text: string): string {
  if (PRINTABLE.test(text) && !isAmbiguous(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function block(text: string, indent: string): string {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const keep = text.endsWith('\n\n') ? '+' : '';
  const chomping = text.endsWith('\n') ? keep : '-';
  return `|${chomping}\n${indent}${body.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}`;
}
