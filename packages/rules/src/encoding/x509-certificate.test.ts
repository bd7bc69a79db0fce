import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { isCaBundle } from '../validation/ca-bundle.ts';
import { pemBlocks } from './pem-blocks.ts';
import { isCertificates } from './x509-certificate.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const certificates = rootCertificates.map((pem) => {
  const [bytes = expect.unreachable()] = pemBlocks(base64(pem), 'CERTIFICATE');
  return bytes;
});
const [first = expect.unreachable()] = certificates;

describe('the form of a certificate', () => {
  it('is that of each authority that Node trusts', () => {
    expect(certificates.length).toBeGreaterThan(100);
    expect(certificates.filter((bytes) => !isCertificates(bytes))).toEqual([]);
  });

  it('may be there several times', () => {
    expect(isCertificates(new Uint8Array([...first, ...first]))).toBe(true);
  });

  it('is lost with any part of it, and with bytes behind it', () => {
    const cuts = Array.from(first, (_, length) => first.subarray(0, length));
    expect(cuts.filter(isCertificates)).toEqual([]);
    expect(isCertificates(new Uint8Array([...first, 0]))).toBe(false);
  });

  it('is lost when a length in its head is another', () => {
    for (const at of [1, 2, 3, 5, 6, 7, 9]) {
      const bytes = first.map((byte, index) => (index === at ? byte ^ 1 : byte));
      expect(isCertificates(bytes), `byte ${at}`).toBe(false);
    }
  });

  it.each([
    ['nothing', []],
    ['an empty sequence', [0x30, 0]],
    ['a value without a length', [0x30, 0x80, 0, 0]],
    ['a length that nothing can have', [0x30, 0x85, 1, 1, 1, 1, 1]],
    ['a sequence of three empty ones', [0x30, 6, 0x30, 0, 0x30, 0, 0x30, 0]],
  ])('is not %s', (_, bytes) => {
    expect(isCertificates(new Uint8Array(bytes))).toBe(false);
  });
});

describe('a CA bundle', () => {
  const [one = '', two = ''] = rootCertificates;

  it('is one certificate or more, with other text around them', () => {
    expect(isCaBundle(base64(one))).toBe(true);
    expect(isCaBundle(base64(`# first\n${one}\nsecond:\r\n${two}\n`))).toBe(true);
    expect(isCaBundle(base64(one.replaceAll('\n', '\r\n')))).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    [base64('foo'), 'other text'],
    [base64(one.replaceAll('CERTIFICATE', 'PRIVATE KEY')), 'another block'],
    [base64(`${one}\n-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n`), 'one and a broken one'],
    [base64(one.replace(/^(.{200})./su, '$1')), 'one with a character missing'],
  ])('is not number %# of these', (bundle) => {
    expect(isCaBundle(bundle)).toBe(false);
  });
});
