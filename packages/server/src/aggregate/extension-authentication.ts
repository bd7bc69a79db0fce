/** The ConfigMap by which backends learn whose headers and certificates to trust. */

import { X509Certificate } from 'node:crypto';
import { recordOf, sameJson, textOf } from '@listwatch/api/values';
import { type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { RequestHeaderOptions } from '../access/authentication/front-proxy-authenticator.ts';
import { serverOwners } from '../crd/server-owners.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject } from '../stored/stored-object.ts';

const PLACE = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

export interface ExtensionAuthenticationParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind of ConfigMaps. */
  readonly definition: ResourceDefinition;
  readonly newUid: () => string;
  /** PEM; `''`: none. */
  readonly clientCa: string;
  /** PEM; `''`: none. */
  readonly proxyClientCa: string;
  readonly requestHeader: RequestHeaderOptions;
}

/** Creates the ConfigMap, or adds what is missing. Authorities of other servers of the store stay until they expire. */
export async function publishExtensionAuthentication(parts: ExtensionAuthenticationParts): Promise<void> {
  const { engine, clock, definition, newUid } = parts;
  const key = storedObjectKey(definition, PLACE);
  const withOwners = serverOwners(parts, '');
  for (;;) {
    const { entry } = await engine.get(key);
    const old = entry && storedObject(definition, entry);
    const data = dataOf(parts, recordOf(old?.['data']));
    if (old !== undefined && sameJson(old['data'], data)) return;
    const metadata = { ...PLACE, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()) };
    const next: KubeObject = old === undefined ? { ...layoutOf(definition).type, metadata, data } : { ...old, data };
    const value = layoutOf(definition).encode(await withOwners(old, next));
    const { committed } = await engine.commit({ type: 'put', key, value, expected: entry?.modRevision ?? 0n });
    if (committed) return;
  }
}

function dataOf(
  { clientCa, proxyClientCa, requestHeader, clock }: ExtensionAuthenticationParts,
  old: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const now = clock.now();
  const bundle = (name: string, own: string): Readonly<Record<string, string>> => {
    const merged = mergedBundle([textOf(old[name]), own], now);
    return own === '' || merged === '' ? {} : { [name]: merged };
  };
  const { allowedNames = [], usernameHeaders = ['X-Remote-User'], uidHeaders = ['X-Remote-Uid'] } = requestHeader;
  const { groupHeaders = ['X-Remote-Group'], extraHeaderPrefixes = ['X-Remote-Extra-'] } = requestHeader;
  const headers = {
    'requestheader-allowed-names': JSON.stringify(allowedNames),
    'requestheader-extra-headers-prefix': JSON.stringify(extraHeaderPrefixes),
    'requestheader-group-headers': JSON.stringify(groupHeaders),
    'requestheader-uid-headers': JSON.stringify(uidHeaders),
    'requestheader-username-headers': JSON.stringify(usernameHeaders),
  };
  return {
    ...old,
    ...bundle('client-ca-file', clientCa),
    ...bundle('requestheader-client-ca-file', proxyClientCa),
    ...(proxyClientCa === '' ? {} : headers),
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** Each certificate once, without those that have expired or cannot be read. */
export function mergedBundle(bundles: readonly string[], now: number): string {
  const found = new Set<string>();
  for (const pem of bundles.flatMap((bundle) => bundle.match(CERTIFICATE) ?? [])) {
    const text = pem.replaceAll('\r', '').trim();
    try {
      if (Date.parse(new X509Certificate(text).validTo) > now) found.add(text);
    } catch {
      // Not a certificate.
    }
  }
  return [...found].map((text) => `${text}\n`).join('');
}
