/** Names of fields as identifiers of CEL: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. */

const RESERVED = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var void ' +
    'while'
  ).split(' '),
);

/** Is it a word that the grammar keeps for itself? */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** The identifier of a field; `undefined` for a field that no expression can name. */
export function escapeFieldName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (found) => {
    if (found === '__') return '__underscores__';
    if (found === '.') return '__dot__';
    return found === '-' ? '__dash__' : '__slash__';
  });
}

/** The field of an identifier; `undefined` when it has an escape that does not exist. */
export function unescapeFieldName(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let isValid = true;
  const name = identifier.replace(/__([^_]+)__/g, (found, word: string) => {
    if (word === 'underscores') return '__';
    if (word === 'dot') return '.';
    if (word === 'dash') return '-';
    if (word === 'slash') return '/';
    if (!RESERVED.has(word) || found.length !== identifier.length) isValid = false;
    return word;
  });
  return isValid ? name : undefined;
}
