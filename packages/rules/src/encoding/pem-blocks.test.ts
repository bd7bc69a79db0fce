import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pemBlocks, pemType } from './pem-blocks.ts';

const TYPE = 'CERTIFICATE';
const BEGIN = `-----BEGIN ${TYPE}-----`;

const typeOf = (text: string): string | undefined => pemType(btoa(text));
const blocksOf = (text: string): readonly string[] =>
  pemBlocks(btoa(text), TYPE).map((bytes) => Buffer.from(bytes).toString('base64'));

describe('PEM', () => {
  it.each([
    ['', undefined],
    ['x', undefined],
    ['-----BEGIN A B-----', 'A B'],
    ['text before\n-----BEGIN A----- \t\r\nAAAA', 'A'],
    ['x -----BEGIN A-----\n-----BEGIN B-----\n', 'B'],
    ['-----BEGIN A\n-----\n', undefined],
    ['-----BEGIN -----', ''],
    ['-----BEGIN ----', undefined],
    ['-----BEGIN A----- x\n', undefined],
  ])('%j begins with the type %j', (text, type) => {
    expect(typeOf(text)).toBe(type);
  });

  it('has the blocks between each beginning and the next end', () => {
    const part = fc.constantFrom(
      BEGIN,
      '-----END CERTIFICATE-----',
      '-----END',
      'AAAA',
      'BBBB',
      '\n',
      '-----BEGIN X-----',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const found = [...text.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END/gu)];
        expect(pemBlocks(btoa(text), TYPE)).toHaveLength(found.length);
      }),
    );
    expect(blocksOf(`${BEGIN}\nAAAA\n-----END CERTIFICATE-----\n${BEGIN}BBBB-----END`)).toEqual(['AAAA', 'BBBB']);
  });

  // As long as an object may be. By regular expressions these took minutes, on the thread that serves everybody.
  it.each([
    ['beginnings without an end', `${BEGIN}\n`],
    ['beginnings in one line', '-----BEGIN \r'],
    ['dashes', '-----'],
  ])('of a megabyte of %s is read in one go', (_, piece) => {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    expect(blocksOf(text)).toEqual([]);
    expect(typeOf(text)).toBe(piece.endsWith('\n') ? TYPE : undefined);
  });
});
