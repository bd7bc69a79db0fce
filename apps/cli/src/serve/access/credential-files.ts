/**
 * The files that options name: read once, before anything is started, and checked while the option can be blamed. The
 * engine reads those for etcd.
 */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { checkServiceAccountKeys, parseTokenFile, type ServiceAccountOptions } from '@listwatch/server';
import { explainFileError } from '../../file-error.ts';
import type { CertificatePair } from '../../pki/pki-folder.ts';
import { UsageError } from '../../usage-error.ts';
import { distrustOf } from '../file-trust.ts';
import { optionName } from '../option-spec.ts';
import { type ServeSettings } from '../serve-options.ts';

/** What the files hold. */
export interface CredentialFiles {
  readonly tokens: ReturnType<typeof parseTokenFile> | undefined;
  /** PEM. */
  readonly clientCa: string | undefined;
  /** PEM. */
  readonly kubeletCa: string | undefined;
  readonly requestHeaderCa: string | undefined;
  /** PEM. */
  readonly oidcCa: string | undefined;
  readonly serving: CertificatePair | undefined;
  readonly serviceAccounts: Pick<ServiceAccountOptions, 'signingKey' | 'verificationKeys'>;
  /** Files that others could have written: used, because a volume may be made so, and said. */
  readonly warnings: readonly string[];
}

/** Read again for each connection and login, see `openStorage`. */
const ETCD_FILES = ['etcdCafile', 'etcdCertfile', 'etcdKeyfile', 'etcdPasswordFile'] as const;

/** Whoever writes these decides who may enter, or what the server shows and sends. */
const TRUSTED_FILES = [
  'tokenAuthFile',
  'clientCaFile',
  'kubeletCertificateAuthority',
  'requestheaderClientCaFile',
  'proxyClientCertFile',
  'proxyClientKeyFile',
  'oidcCaFile',
  'authenticationConfig',
  'authenticationTokenWebhookConfigFile',
  'tlsCertFile',
  'tlsPrivateKeyFile',
  ...ETCD_FILES,
] as const;

/**
 * Reads them. Throws a `UsageError` that names the option whose file is missing or wrong, or with whose key others could sign
 * tokens.
 */
export function readCredentialFiles(settings: ServeSettings): CredentialFiles {
  const read = (name: keyof ServeSettings): string | undefined => readNamed(settings, name);
  const tokens = read('tokenAuthFile');
  const authority = (name: keyof ServeSettings): string | undefined => {
    const pem = read(name);
    if (pem !== undefined) parseNamed(name, 'certificates in PEM', () => new X509Certificate(pem));
    return pem;
  };
  for (const name of ['proxyClientCertFile', 'proxyClientKeyFile'] as const) checkReadable(name, settings[name]);
  for (const name of ETCD_FILES) checkReadable(name, settings[name]);
  return {
    tokens:
      tokens === undefined
        ? undefined
        : parseNamed('tokenAuthFile', 'lines of token,user,uid,"group,group"', () => parseTokenFile(tokens)),
    clientCa: authority('clientCaFile'),
    kubeletCa: authority('kubeletCertificateAuthority'),
    requestHeaderCa: authority('requestheaderClientCaFile'),
    oidcCa: authority('oidcCaFile'),
    serving: servingPair(read('tlsCertFile'), read('tlsPrivateKeyFile')),
    serviceAccounts: serviceAccountKeys(settings),
    warnings: warningsOf(settings),
  };
}

function warningsOf(settings: ServeSettings): readonly string[] {
  const named = TRUSTED_FILES.map((name) => [name, settings[name]] as const);
  const verifying = settings.serviceAccountKeyFile.map((path) => ['serviceAccountKeyFile', path] as const);
  return [...named, ...verifying].flatMap(([name, path]) => {
    const why = path === undefined ? undefined : distrustOf(path);
    return why === undefined ? [] : [`the file of --${optionName(name)} may be somebody else's: ${why}`];
  });
}

/** The server says what is wrong with a key: it is asked here, where the option can be blamed. */
function serviceAccountKeys(settings: ServeSettings): CredentialFiles['serviceAccounts'] {
  const signingKey = readNamed(settings, 'serviceAccountSigningKeyFile');
  if (signingKey !== undefined) {
    const why = distrustOf(settings.serviceAccountSigningKeyFile ?? '');
    if (why !== undefined) {
      throw new UsageError(`--service-account-signing-key-file must be a key that nobody else could have made: ${why}`);
    }
    const expected = 'a private key in PEM, EC or RSA, without a password';
    parseNamed('serviceAccountSigningKeyFile', expected, () => checkServiceAccountKeys({ signingKey }));
  }
  const verificationKeys = settings.serviceAccountKeyFile.map((path) => {
    const text = readPath('serviceAccountKeyFile', path);
    const check = (): void => checkServiceAccountKeys({ verificationKeys: [text] });
    parseNamed('serviceAccountKeyFile', 'keys in PEM, EC or RSA', check);
    return text;
  });
  return { ...(signingKey === undefined ? {} : { signingKey }), verificationKeys };
}

function servingPair(cert: string | undefined, key: string | undefined): CertificatePair | undefined {
  if (cert === undefined || key === undefined) return undefined;
  const certificate = parseNamed('tlsCertFile', 'a certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parseNamed('tlsPrivateKeyFile', 'a private key in PEM, without a password', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError('--tls-private-key-file must be the key of --tls-cert-file, got that of another certificate');
  }
  return { cert, key };
}

function readNamed(settings: ServeSettings, name: keyof ServeSettings): string | undefined {
  const path = settings[name];
  return typeof path === 'string' ? readPath(name, path) : undefined;
}

function checkReadable(name: keyof ServeSettings, path: string | undefined): void {
  if (path === undefined) return;
  // Not read: a pipe can be read only once, and the engine will.
  blamed(name, path, () => accessSync(path, constants.R_OK));
  if (statSync(path).isDirectory()) readPath(name, path);
}

function readPath(name: keyof ServeSettings, path: string): string {
  return blamed(name, path, () => readFileSync(path, 'utf8'));
}

function blamed<T>(name: keyof ServeSettings, path: string, access: () => T): T {
  try {
    return access();
  } catch (error) {
    const given = `${JSON.stringify(path)}: ${explainFileError(error)}`;
    throw new UsageError(`--${optionName(name)} must be a file that can be read, got ${given}`);
  }
}

function parseNamed<T>(name: keyof ServeSettings, expected: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^token file, /u, '');
    throw new UsageError(`--${optionName(name)} must be a file with ${expected}, got one that is not: ${reason}`);
  }
}
