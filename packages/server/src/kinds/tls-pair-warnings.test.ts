import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { KubeObject } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { issueCertificate } from '../pki/certificate.ts';
import { configMap, secret } from './built-in-definitions.fixture.ts';
import { withTlsPairWarnings } from './tls-pair-warnings.ts';

const [warned = expect.unreachable(), other] = withTlsPairWarnings([secret, configMap]);
const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const key = newKey();
const subject = { commonName: 'a' };
const certificate = issueCertificate({
  subject,
  use: { type: 'authority' },
  key,
  notBefore: new Date(0),
  notAfter: new Date(1e12),
  issuer: { subject, key },
});
const keyText = (of: KeyObject): string => String(of.export({ type: 'pkcs8', format: 'pem' }));

function secretOf(crt: string, keyPem: string, type = 'kubernetes.io/tls'): KubeObject {
  const data = { 'tls.crt': Buffer.from(crt).toString('base64'), 'tls.key': Buffer.from(keyPem).toString('base64') };
  return { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' }, type, data };
}

function warningsOf(...parts: Parameters<typeof secretOf>): readonly string[] {
  return warned.strategy.validate(secretOf(...parts), undefined, '').warnings;
}

describe('a Secret for TLS', () => {
  it('is fine with a certificate and its key', () => {
    expect(warningsOf(certificate, keyText(key))).toEqual([]);
    expect(other).toBe(configMap);
  });

  it.each([
    ['a', keyText(key), 'tls: failed to find any PEM data in certificate input'],
    [certificate, 'a', 'tls: failed to find any PEM data in key input'],
    [certificate, keyText(newKey()), 'tls: private key does not match public key'],
    ['-----BEGIN CERTIFICATE-----', keyText(key), 'tls: failed to parse certificate or private key'],
  ])('has a warning otherwise: %#', (crt, keyPem, text) => {
    expect(warningsOf(crt, keyPem)).toEqual([text]);
    expect(warningsOf(crt, keyPem, 'Opaque')).toEqual([]);
  });

  it('that is refused has none', () => {
    const object = secretOf('a', 'a');
    expect(warned.strategy.validate(object, undefined, '', true).warnings).toEqual([]);
    const { errors, warnings } = warned.strategy.validate({ ...object, data: {} }, undefined, '');
    expect([errors.length, warnings]).toEqual([2, []]);
  });
});
