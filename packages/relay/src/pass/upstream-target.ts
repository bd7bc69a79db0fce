/** The request target as it goes upstream. */

/** Node refuses other characters in a path; an upstream may read them in its own way. */
const PRINTABLE = /^[\u0021-\u007e\u0080-\u00ff]*$/u;
const ABSOLUTE = /^https?:\/\/[^/?#]*/iu;

/**
 * The target as it came, behind the path of the upstream: two programs that read an escaped path differently are a hole, so nothing here
 * decodes or cleans it. Of the absolute form, which is for proxies, only the scheme and the host go. Undefined: it is no target for an API server.
 */
export function upstreamTarget(raw: string, prefix: string): string | undefined {
  if (raw.startsWith('/')) return checked(prefix, raw);
  const absolute = ABSOLUTE.exec(raw);
  if (absolute === null) return undefined;
  const rest = raw.slice(absolute[0].length);
  return checked(prefix, rest.startsWith('/') ? rest : `/${rest}`);
}

/** A fragment is never sent; a program that cuts it off would see another path. */
function checked(prefix: string, target: string): string | undefined {
  return PRINTABLE.test(target) && !target.includes('#') ? `${prefix}${target}` : undefined;
}
