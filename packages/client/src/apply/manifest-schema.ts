/**
 * Plain words and numbers as kubectl reads them, which is mostly YAML 1.1: `defaultMode: 0644` is 420, and `yes` is true. YAML 1.2, which
 * js-yaml reads, would make 644 of it: another mode than the same file has with kubectl.
 */

import type * as JsYaml from 'js-yaml';

const BOOLEANS: ReadonlyMap<string, boolean> = booleans();

const INTEGER =
  /^(?<sign>[-+]?)(?:0[xX](?<hex>[\da-fA-F]+)|0[bB](?<binary>[01]+)|0[oO]?(?<octal>[0-7]+)|(?<decimal>0|[1-9]\d*))$/u;
/** More digits are no number of 64 bits: they stay a text, or a number with a rounded end. */
const MAX_LENGTH = 70;

/** A call, so that pages without manifests can leave it out. */
function booleans(): ReadonlyMap<string, boolean> {
  return new Map([
    ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
    ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
      (word) => [word, false] as const,
    ),
  ]);
}

/** The value of a plain scalar that is a boolean or an integer; undefined for any other. Times and numbers to the base of 60 are texts. */
export function plainValue(text: string): boolean | number | undefined {
  return BOOLEANS.get(text) ?? integerOf(text);
}

function integerOf(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !/^[-+\d]/u.test(text)) return undefined;
  const { sign, hex, binary, octal, decimal } = INTEGER.exec(text.replaceAll('_', ''))?.groups ?? {};
  const prefixed = [hex && `0x${hex}`, binary && `0b${binary}`, octal && `0o${octal}`, decimal].find(Boolean);
  if (prefixed === undefined) return undefined;
  const size = Number(prefixed);
  return sign === '-' ? -size : size;
}

/** The schema that manifests are read with. */
export function manifestSchema(library: typeof JsYaml): JsYaml.Schema {
  const tag = (name: string, type: 'boolean' | 'number'): JsYaml.ScalarTagDefinition<boolean | number> =>
    library.defineScalarTag<boolean | number>(`tag:yaml.org,2002:${name}`, {
      implicit: true,
      resolve: (text): boolean | number | typeof library.NOT_RESOLVED => {
        const value = plainValue(text);
        return typeof value === type && value !== undefined ? value : library.NOT_RESOLVED;
      },
      identify: () => false,
    });
  return library.CORE_SCHEMA.withTags(tag('bool', 'boolean'), tag('int', 'number'), library.mergeTag);
}
