/** The request target: its path and its query. */

/** The two halves of a request target. */
export interface RequestTarget {
  /** Percent-encoded as it came, with its leading slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Reads a request target, in origin form (`/path?query`) or absolute form; undefined when it is neither. */
export function parseTarget(target: string): RequestTarget | undefined {
  if (target.startsWith('/')) return split(target);
  const absolute = /^https?:\/\/[^/?#]*(?<rest>.*)$/iu.exec(target);
  if (absolute === null) return undefined;
  const rest = absolute.groups?.['rest'] ?? '';
  return split(rest.startsWith('/') ? rest : `/${rest}`);
}

function split(target: string): RequestTarget {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
