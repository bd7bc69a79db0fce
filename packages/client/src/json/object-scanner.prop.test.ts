import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectScanner, type TextRange } from './object-scanner.ts';
import { parseJsonBytes } from './parse-json.ts';

/** The whole of the bytes, parsed; `undefined` when `JSON.parse` refuses them. */
function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: parseJsonBytes(bytes) };
  } catch {
    return undefined;
  }
}

/** True when the scanner takes all of the bytes for one value, blanks behind it included. */
function accepts(scanner: ObjectScanner, bytes: Uint8Array): boolean {
  try {
    const end = scanner.scan(bytes, 0);
    return [...bytes.subarray(end)].every((byte) => [0x20, 0x0a, 0x0d, 0x09].includes(byte));
  } catch (error) {
    expect(error instanceof SyntaxError || error instanceof TypeError).toBe(true);
    return false;
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('x'.repeat(80), `${'y'.repeat(40)}"\\`, 'é日本語😀', '\ud800', '\u0000\u001f\u007f\u0080', '\u2028'),
);
const identity = fc.record(
  { name: text, namespace: text, uid: text, resourceVersion: text, labels: fc.dictionary(text, text) },
  { requiredKeys: [] },
);
const object = fc.record(
  { kind: fc.oneof(text, fc.constant(null)), apiVersion: text, metadata: identity, spec: fc.jsonValue() },
  { requiredKeys: [] },
);
const value = fc.oneof(object, fc.jsonValue({ noUnicodeString: false }), fc.double().map(String));
const indent = fc.constantFrom(undefined, 1, '\t');
const json = fc.tuple(value, indent).map(([of, by]) => Buffer.from(JSON.stringify(of, undefined, by) ?? 'null'));
const interesting = fc.oneof(
  fc.constantFrom(...Buffer.from('{}[]:,"\\/bfnrtue0123456789.+-EaA \n\t\r')),
  fc.constantFrom(0, 0x1f, 0x7f, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xef, 0xf4, 0xff),
);
const damage = fc.array(
  fc.record({ at: fc.nat(), byte: interesting, how: fc.constantFrom('cut', 'drop', 'insert', 'replace', 'swap') }),
  { minLength: 1, maxLength: 3 },
);

function damaged(bytes: Uint8Array, at: number, byte: number, how: string): Uint8Array {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const [head, tail] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (how) {
    case 'cut':
      return head;
    case 'drop':
      return Buffer.concat([head, tail.subarray(1)]);
    case 'insert':
      return Buffer.concat([head, Uint8Array.of(byte), tail]);
    case 'replace':
      return Buffer.concat([head, Uint8Array.of(byte), tail.subarray(1)]);
    default:
      return Buffer.concat([tail, head]);
  }
}

function printed(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, of]) => `"${key}":${of}`).join(',')}}`;
}

function metadataOf(of: unknown): object {
  return typeof of === 'object' && of !== null && 'metadata' in of ? Object(of.metadata) : {};
}

/** Every text of this length. */
function* texts(letters: Buffer, length: number): Generator<Buffer, undefined> {
  const bytes = Buffer.alloc(length);
  for (let n = 0; n < letters.length ** length; n += 1) {
    for (let i = 0, rest = n; i < length; i += 1, rest = Math.floor(rest / letters.length)) {
      bytes[i] = letters[rest % letters.length] ?? 0;
    }
    yield bytes;
  }
}

describe('the scanner of objects', () => {
  const scanner = new ObjectScanner();

  it('accepts what JSON.parse accepts, and refuses what it refuses, in whole and in damaged JSON', () => {
    fc.assert(
      fc.property(json, fc.option(damage, { nil: [] }), (whole, wounds) => {
        const bytes = wounds.reduce<Uint8Array>((now, { at, byte, how }) => damaged(now, at, byte, how), whole);
        expect(accepts(scanner, bytes)).toBe(parsed(bytes) !== undefined);
      }),
      { numRuns: 5_000 },
    );
  });

  it('agrees with JSON.parse on every short text of the bytes that matter', () => {
    for (const [letters, length] of [
      ['{}[]:,"\\u0-1.eE+ \ntn', 3],
      ['0-1.eE+', 5],
    ] as const) {
      for (const bytes of texts(Buffer.from(letters), length)) {
        // Not `expect` for each: thousands of them take seconds.
        if (accepts(scanner, bytes) !== (parsed(bytes) !== undefined)) expect.fail(`they differ on ${String(bytes)}`);
      }
    }
  });

  it('finds what identifies an object, or says that it is odd', () => {
    const pieces = fc.constantFrom('name', 'namespace', 'uid', 'resourceVersion', 'na\\u006de', 'labels', 'n');
    const shown = fc.oneof(fc.constantFrom('"a"', '"b-1"', '""', 'null', '7', '{"name":"x"}', '"\\u0061"', '"é"'));
    const members = fc.array(fc.tuple(pieces, shown), { maxLength: 5 });
    fc.assert(
      fc.property(members, members, fc.boolean(), (first, second, twice) => {
        const metadata = `"metadata":${printed(first)}`;
        const again = twice ? `,"metadata":${printed(second)}` : '';
        const bytes = Buffer.from(`  {"kind":"Thing",${metadata}${again},"spec":{"metadata":{"name":"not me"}}}`);
        scanner.scan(bytes, 0);
        if (scanner.isOdd) return;
        const found = (range: TextRange): string | undefined =>
          range.isFound ? bytes.toString('latin1', range.from, range.to) : undefined;
        const { name, namespace, uid, resourceVersion } = scanner;
        const facts = { name, namespace, uid, resourceVersion };
        const real = new Map(Object.entries(metadataOf(parsed(bytes)?.value)));
        for (const [key, range] of Object.entries(facts)) expect(found(range)).toBe(real.get(key));
        expect(found(scanner.kind)).toBe('Thing');
        expect(found(scanner.apiVersion)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads from anywhere, and tells where the object ends', () => {
    const bytes = Buffer.from('[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]');
    expect(scanner.scan(bytes, 1)).toBe(26);
    expect(scanner.scan(bytes, 27)).toBe(52);
    expect(bytes.toString('latin1', scanner.name.from, scanner.name.to)).toBe('b');
  });

  it('refuses nesting that could exhaust memory, and takes any that is less deep', () => {
    expect(accepts(scanner, Buffer.from('['.repeat(10_000) + ']'.repeat(10_000)))).toBe(true);
    expect(accepts(scanner, Buffer.from('['.repeat(10_002) + ']'.repeat(10_002)))).toBe(false);
  });
});
