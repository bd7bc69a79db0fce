/** On Node: what is wrong with the selectors of a query, before it is sent. */

// By the name of the package: this door then is one small file beside the other, and does not split it.
import {
  type FieldSelector,
  type LabelSelector,
  type ListOptions,
  parseFieldSelector,
  parseLabelSelector,
} from '@listwatch/api';

/**
 * Throws a TypeError that shows the selector. Without it a bad one comes back as a 400 of the server, or never: an informer keeps
 * trying. Bundles for browsers have `unchecked-selectors.ts` instead.
 */
export function checkSelectors(query: Pick<ListOptions, 'fieldSelector' | 'labelSelector'>): void {
  checkSelector('labelSelector', query.labelSelector, parseLabelSelector);
  checkSelector('fieldSelector', query.fieldSelector, parseFieldSelector);
}

function checkSelector(
  name: string,
  selector: FieldSelector | LabelSelector | string | undefined,
  parse: (text: string) => unknown,
): void {
  if (selector === undefined) return;
  const text = String(selector);
  try {
    parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${name} ${JSON.stringify(text)}: ${why}`, { cause });
  }
}
