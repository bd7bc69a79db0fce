/** A certificate for a server that lives as long as a test. */

import { generateKeyPairSync } from 'node:crypto';
import { issueCertificate, type Subject } from '@listwatch/server/internal';

/** PEM, all of it. */
export interface TestCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const AUTHORITY: Subject = { commonName: 'listwatch-testing' };
const HOUR_MS = 3_600_000;

/** Makes one for `localhost` and the loopback addresses. Its authority's key is thrown away: it signs nothing else. */
export function createTestCertificate(): TestCertificate {
  const authority = newKey();
  const server = newKey();
  // By the machine's clock, also when the server has a fake one: it is TLS that looks at it.
  const times = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + 24 * HOUR_MS) };
  const issuer = { subject: AUTHORITY, key: authority };
  return {
    ca: issueCertificate({ subject: AUTHORITY, use: { type: 'authority' }, key: authority, issuer, ...times }),
    cert: issueCertificate({
      subject: { commonName: 'localhost' },
      use: { type: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1', '::1'] },
      key: server,
      issuer,
      ...times,
    }),
    key: server.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKey(): ReturnType<typeof generateKeyPairSync>['privateKey'] {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
