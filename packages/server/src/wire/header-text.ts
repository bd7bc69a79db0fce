/** Headers as Node gives them. */

/** A header as Node gives it, as one text. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}
