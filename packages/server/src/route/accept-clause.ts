/** The `Accept` header, read as Kubernetes reads it. */

/** One media range that the client takes. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** All parameters but `q`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of a header, best first: by quality, then the specific before the general. Broken clauses are dropped. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses = header.split(',').flatMap(parseClause);
  // An insertion sort with Go's comparison, which is no proper order: only the same steps give the same result.
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0; j--) {
      const [before, after] = [clauses[j - 1], clauses[j]];
      if (before === undefined || after === undefined || !isBetter(after, before)) break;
      clauses[j - 1] = after;
      clauses[j] = before;
    }
  }
  return clauses;
}

/** The media types of a header as written, without parameters. */
export function acceptedTypes(header: string): readonly string[] {
  return header.split(',').map((clause) => (clause.split(';')[0] ?? '').trim());
}

function parseClause(text: string): AcceptClause[] {
  const [range = '', ...rest] = text.split(';');
  const [type = '', subtype, ...more] = range.split('/').map((part) => part.trim());
  if (more.length > 0 || (subtype === undefined && type !== '*')) return [];
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    const name = parameter.slice(0, equals).trim();
    const value = parameter.slice(equals + 1).trim();
    if (name === 'q') quality = Number(value) || 0;
    else parameters.set(name, value);
  }
  return [{ type, subtype: subtype ?? '*', quality, parameters }];
}

function isBetter(left: AcceptClause, right: AcceptClause): boolean {
  if (left.quality > right.quality) return true;
  if (left.type !== '*' && right.type === '*') return true;
  return left.subtype !== '*' && right.subtype === '*';
}
