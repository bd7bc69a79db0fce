/** Texts of any length on a page that stays quick: browsers take seconds to lay out a line of a megabyte. */

/** A cell of a table. */
export const CELL_CHARS = 500;
/** A line of YAML or of a difference. */
export const LINE_CHARS = 2000;
/** The bytes of a frame. */
export const RAW_CHARS = 200_000;

/** The text, or its beginning and how much is left out. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not within a pair of surrogates.
  const end = /[\ud800-\udbff]/u.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)} … (${text.length - end} more characters)`;
}
