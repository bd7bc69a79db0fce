/** Checks whose cost does not grow with the text: a request may hold megabytes where a name is expected. */
import { utf8Length } from './utf8.ts';

/** Longer text is not matched against patterns. Above every limit that a pattern comes with. */
const MATCH_MAX = 4096;

/** Is the text longer than so many bytes of UTF-8? */
export function isLongerThan(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || (text.length * 3 > maxBytes && utf8Length(text) > maxBytes);
}

/** Does the text break the pattern? Not asked of text over 4 096 characters, which is refused for its length alone. */
export function breaksPattern(text: string, pattern: RegExp): boolean {
  return text.length <= MATCH_MAX && !pattern.test(text);
}
