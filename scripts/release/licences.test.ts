import { expect, it } from 'vitest';
import { isFreeLicence } from './licences.ts';
import { shippedDependencies } from './shipped-dependencies.ts';

/** Packages whose manifest names no licence, and where it was read. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  '@msgpackr-extract/msgpackr-extract-darwin-arm64': 'binaries of msgpackr-extract, which is MIT',
  '@msgpackr-extract/msgpackr-extract-darwin-x64': 'binaries of msgpackr-extract, which is MIT',
  '@msgpackr-extract/msgpackr-extract-linux-arm': 'binaries of msgpackr-extract, which is MIT',
  '@msgpackr-extract/msgpackr-extract-linux-arm64': 'binaries of msgpackr-extract, which is MIT',
  '@msgpackr-extract/msgpackr-extract-win32-x64': 'binaries of msgpackr-extract, which is MIT',
};

it('everything that an installation brings along has a free licence', () => {
  const shipped = shippedDependencies();
  expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['undici', 'lmdb', 'commander', 're2js']));
  const unclear = shipped.filter(({ license }) => !isFreeLicence(license));
  expect(unclear.filter(({ name, license }) => license !== '' || READ_BY_HAND[name] === undefined)).toEqual([]);
  expect(unclear.map(({ name }) => name)).toEqual(Object.keys(READ_BY_HAND));
});

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND Apache-2.0', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.txt', false],
  ['', false],
])('the licence %j is free: %j', (expression, free) => {
  expect(isFreeLicence(expression)).toBe(free);
});
