/** The certificate that the server shows to the backends of APIServices: from files, read again when they change. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { AggregationOptions } from '@listwatch/server';
import type { Logger } from 'pino';
import { FRONT_PROXY_NAME, type Pki } from '../pki/pki-folder.ts';
import type { CredentialFiles } from './access/credential-files.ts';
import type { ServeSettings } from './serve-options.ts';

/** The files are looked at no more often. */
const LOOK_MS = 1000;

type FrontProxyPair = ReturnType<NonNullable<AggregationOptions['proxyClient']>>;

/** The options of the server. A pair that does not fit, as while it is being replaced, leaves the last one in use. */
export function aggregationOptions(
  settings: ServeSettings,
  { pki, files, log }: { readonly pki: Pki; readonly files: CredentialFiles; readonly log: Logger },
): AggregationOptions {
  const { proxyClientCertFile: cert, proxyClientKeyFile: key, requestheaderAllowedNames: allowed } = settings;
  const hasOwn = cert !== undefined && key !== undefined;
  // Without an authority of its own, this server's is the one that backends trust.
  const authorities = [hasOwn ? '' : pki.frontProxyCa, files.requestHeaderCa ?? ''];
  const names =
    files.requestHeaderCa === undefined || allowed.length > 0
      ? [...allowed, ...(hasOwn ? [] : [FRONT_PROXY_NAME])]
      : [];
  return {
    proxyClient: hasOwn ? changingFiles(cert, key, log) : () => pki.frontProxy,
    proxyClientCa: authorities.join('\n'),
    requestHeader: {
      allowedNames: names,
      usernameHeaders: settings.requestheaderUsernameHeaders,
      ...(settings.requestheaderUidHeaders.length === 0 ? {} : { uidHeaders: settings.requestheaderUidHeaders }),
      groupHeaders: settings.requestheaderGroupHeaders,
      extraHeaderPrefixes: settings.requestheaderExtraHeadersPrefix,
    },
  };
}

function changingFiles(certFile: string, keyFile: string, log: Logger): () => FrontProxyPair {
  let known = readPair(certFile, keyFile);
  let seen = stateOf(certFile, keyFile);
  let lookedAt = performance.now();
  return () => {
    if (performance.now() - lookedAt < LOOK_MS) return known;
    lookedAt = performance.now();
    try {
      const state = stateOf(certFile, keyFile);
      if (state === seen) return known;
      known = readPair(certFile, keyFile);
      seen = state;
      log.info({ file: certFile }, 'the certificate for backends was read again');
    } catch (error) {
      log.warn(
        { file: certFile, reason: String(error) },
        'the certificate for backends cannot be read; the last one stays',
      );
    }
    return known;
  };
}

function stateOf(...paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path))
    .map(({ mtimeMs, ino, size }) => `${mtimeMs} ${ino} ${size}`)
    .join(' ');
}

function readPair(certFile: string, keyFile: string): FrontProxyPair {
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error(`${keyFile} is not the key of ${certFile}`);
  }
  return { cert, key };
}
