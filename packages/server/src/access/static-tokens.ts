/** The file of bearer tokens, in Kubernetes' form: `token,user,uid,"group,group"` on each line. */
import type { UserInfo } from '../contract/api-request.ts';

/**
 * Reads a token file. Blank lines and lines without a token are skipped; of two lines with one token the later counts.
 * Throws a `TypeError` that names the line for one that has no user or uid, or whose quotes do not close.
 */
export function parseTokenFile(csv: string): ReadonlyMap<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const [index, line] of csv
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .entries()) {
    if (line.trim() === '') continue;
    const fields = parseFields(line);
    if (fields === undefined) throw new TypeError(`token file, line ${index + 1}: a quoted field does not end`);
    const [token = '', name, uid, groups = ''] = fields;
    if (name === undefined || name === '' || uid === undefined) {
      throw new TypeError(`token file, line ${index + 1}: needs at least token, user and uid`);
    }
    if (token === '') continue;
    const names = groups.split(',').map((group) => group.trim());
    users.set(token, { name, uid, groups: names.filter((group) => group !== '') });
  }
  return users;
}

function parseFields(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    // As Go's reader does, white space before a field belongs to it; a quote counts only as its first character.
    const match = line[at] === '"' ? /"((?:[^"]|"")*)"(?:,|$)/uy : /([^,]*)(?:,|$)/uy;
    match.lastIndex = at;
    const found = match.exec(line);
    if (found === null) return undefined;
    const raw = found[1] ?? '';
    fields.push(line[at] === '"' ? raw.replaceAll('""', '"') : raw.trim());
    if (!found[0].endsWith(',') || match.lastIndex > line.length) break;
    at = match.lastIndex;
  }
  return fields;
}
