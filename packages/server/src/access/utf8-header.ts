/** Node reads the bytes of a header as Latin-1; user names are UTF-8. */
export function utf8Header(value: string): string {
  if (!/[\x80-\xff]/u.test(value) || /[^\0-\xff]/u.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString();
  return text.includes('\ufffd') ? value : text;
}
