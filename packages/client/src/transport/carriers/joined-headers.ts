/** Headers as the contract wants them. */

/** One value for each name; pseudo headers of HTTP/2 are left out. */
export function joinedHeaders(
  headers: Readonly<Record<string, readonly string[] | number | string | undefined>>,
): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    joined[name] = typeof value === 'object' ? value.join(', ') : String(value);
  }
  return joined;
}

/** In the types of Node, which do not say that they change nothing. */
export function mutableHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Record<string, string[] | string> {
  const lines: Record<string, string[] | string> = {};
  for (const [name, value] of Object.entries(headers)) lines[name] = typeof value === 'string' ? value : [...value];
  return lines;
}
