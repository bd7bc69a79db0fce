/** The query of a proxied request: as Go parses and writes it again, sorted by key. */

/** `b=x%20y&a=1` becomes `a=1&b=x+y`; `''` stays. Pairs that cannot be decoded, or have a semicolon, are left out. */
export function proxiedQuery(query: string): string {
  if (query === '') return '';
  const pairs = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const known = pairs.get(key);
    if (known === undefined) pairs.set(key, [value]);
    else known.push(value);
  }
  return [...pairs]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([key, values]) => values.map((value) => `${encoded(key)}=${encoded(value)}`))
    .join('&');
}

/** One character for each byte, so that nothing is lost that is no UTF-8. */
function decoded(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/iu.test(text)) return undefined;
  return text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encoded(bytes: string): string {
  return bytes.replaceAll(/[^\w.~-]/gu, (character) =>
    character === ' ' ? '+' : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
