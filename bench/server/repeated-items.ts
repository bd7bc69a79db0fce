/** Lists that are as long as a body may have them. */

import { BODY_LIMITS } from '@listwatch/rules/internal';

/** What else is in the body. */
export interface ItemRoom {
  /** The length of the items and the commas between them, at most. */
  readonly bytes: number;
  /** Members and parts of the body that are not in the items. */
  readonly otherParts: number;
}

/** As many of `item` as fit, each with its number for `#`: the server refuses one more. */
export function repeatedItems(item: string, { bytes, otherParts }: ItemRoom): string {
  const [members, parts] = [occurrences(item, /:/gu), 1 + occurrences(item, /[,[{]/gu)];
  const most = Math.floor(
    Math.min((BODY_LIMITS.members - otherParts) / members, (BODY_LIMITS.parts - otherParts) / parts),
  );
  const items: string[] = [];
  let length = 0;
  while (items.length < most) {
    const text = item.replaceAll('#', String(items.length));
    length += text.length + 1;
    if (length > bytes) break;
    items.push(text);
  }
  return items.join(',');
}

function occurrences(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
