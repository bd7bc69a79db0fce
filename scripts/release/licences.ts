/** Licences that anybody may ship in a program of any licence, with their texts. */
const FREE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

/** Is this SPDX expression satisfied by free licences alone? With OR one of them is enough, with AND all are needed. */
export function isFreeLicence(expression: string): boolean {
  const inner = expression.trim().replace(/^\((.*)\)$/u, '$1');
  if (inner.includes(' OR ')) return inner.split(' OR ').some(isFreeLicence);
  if (inner.includes(' AND ')) return inner.split(' AND ').every(isFreeLicence);
  return FREE.has(inner);
}
