/** YAML made of JSON, with the keys in order as Kubernetes writes it. */
import { yaml } from './yaml-library.ts';

/** An integer that a double may not hold. */
const LONG_INTEGER = /[:[,]\s*-?\d{16,}/u;

/** Writes JSON bytes as YAML. Throws a `SyntaxError` when they are no JSON. */
export function yamlOfJson(json: Buffer): Buffer {
  const { parseDocument, stringify } = yaml();
  const text = json.toString('utf8');
  // The exact reader is slow, so it reads only what needs it.
  const value: unknown = LONG_INTEGER.test(text)
    ? parseDocument(text, { intAsBigInt: true, schema: 'json' }).toJS()
    : JSON.parse(text);
  return Buffer.from(
    stringify(value, {
      aliasDuplicateObjects: false,
      indentSeq: false,
      lineWidth: 0,
      sortMapEntries: true,
      version: '1.1',
    }),
    'utf8',
  );
}
