/** A certificate in a Secret, which all replicas share: any of them may renew it, by compare and swap. */

import { isAlreadyExists, isConflict } from '@listwatch/api';
import { recordOf, textOf, textRecordOf } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';
import type { Logger } from '../../controller/logger.ts';
import type { Informer } from '../../informer/informer.ts';
import type { SharedInformers } from '../../informer/shared-informers.ts';
import { certificateSecrets, type SecretObject } from '../webhook-objects.ts';
import type { CertificateSource, PairSink } from './certificate-source.ts';
import { type CertificateState, type CertificateTiming, certificateStep } from './certificate-step.ts';
import { authoritiesOf, type CertificateNames, newServingPair, readPair, type ServingPair } from './serving-pair.ts';

export interface SecretCertificateParts {
  readonly cluster: Cluster;
  readonly informers: SharedInformers;
  readonly logger: Logger;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** The subject of certificates. */
  readonly name: string;
  readonly names: CertificateNames;
  readonly timing: CertificateTiming;
  readonly isBundleInPlace: (bundle: string) => boolean;
  readonly onPair: PairSink;
  readonly onChange: () => void;
}

/** When the next certificate was put into the Secret. */
const STAGED_AT = 'webhook.listwatch.dev/staged-at';
/** Writes of others are seen by the watch; this is for one that was lost. */
const AGAIN_MS = 5000;

export class SecretCertificate implements CertificateSource {
  readonly #parts: SecretCertificateParts;
  readonly #cache: Informer<SecretObject>;
  #served = '';

  constructor(parts: SecretCertificateParts) {
    this.#parts = parts;
    const { namespace, name } = parts.secret;
    this.#cache = parts.informers.informer(certificateSecrets, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      syncTimeoutMs: 0,
    });
    this.#cache.on({ add: parts.onChange, update: parts.onChange, delete: parts.onChange });
  }

  get synced(): Promise<void> {
    return this.#cache.synced;
  }

  get bundle(): string | undefined {
    const secret = this.#secret();
    return secret && (textIn(secret, 'ca.crt') || undefined);
  }

  async step(): Promise<number> {
    const secret = this.#secret();
    const now = this.#parts.cluster.clock.now();
    const step = certificateStep(this.#state(secret), now, this.#parts.timing);
    this.#serve(secret);
    if (step.do === 'wait') return step.ms;
    try {
      const written = await this.#write(step.do, secret, now);
      this.#parts.logger.info({ secret: this.#parts.secret, step: step.do }, 'the certificate of the webhooks changes');
      this.#serve(written);
    } catch (error) {
      // Another replica was faster: what it wrote is as good.
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    }
    return AGAIN_MS;
  }

  async close(): Promise<void> {
    await this.#cache.close();
  }

  #secret(): SecretObject | undefined {
    return this.#cache.store.get(`${this.#parts.secret.namespace}/${this.#parts.secret.name}`);
  }

  #state(secret: SecretObject | undefined): CertificateState {
    if (secret === undefined) return { current: undefined, next: undefined, isBundleInPlace: false };
    const { names, isBundleInPlace } = this.#parts;
    const bundle = textIn(secret, 'ca.crt');
    const current = pairIn(secret, 'tls');
    const next = readPair(pairIn(secret, 'next'), names);
    const isTrusted = authoritiesOf(bundle, current.cert).length > 0;
    const since = Date.parse(secret.metadata.annotations?.[STAGED_AT] ?? '');
    return {
      current: isTrusted ? readPair(current, names) : undefined,
      next: next && { ...next, since: Number.isNaN(since) ? 0 : since },
      isBundleInPlace: isBundleInPlace(bundle),
    };
  }

  #serve(secret: SecretObject | undefined): void {
    if (secret === undefined) return;
    const pair = pairIn(secret, 'tls');
    if (pair.cert === this.#served || readPair(pair, this.#parts.names) === undefined) return;
    this.#served = pair.cert;
    this.#parts.onPair(pair);
  }

  async #write(
    step: 'create' | 'promote' | 'stage',
    secret: SecretObject | undefined,
    now: number,
  ): Promise<SecretObject> {
    const { cluster, secret: target, name, names, timing } = this.#parts;
    const others = Object.entries(textRecordOf(secret?.data)).filter(([key]) => !OWN_KEYS.has(key));
    const parts: SecretParts =
      step === 'promote' && secret !== undefined
        ? { current: pairIn(secret, 'next'), bundle: textIn(secret, 'ca.crt') }
        : renewed(step === 'stage' ? secret : undefined, newServingPair(name, names, { now, ...timing }));
    const data = { ...Object.fromEntries(others), ...dataOf(parts) };
    if (secret === undefined) {
      const object = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: target, data };
      return cluster.create(certificateSecrets, object);
    }
    const { [STAGED_AT]: _, ...annotations } = secret.metadata.annotations ?? {};
    const staged = step === 'stage' ? { [STAGED_AT]: new Date(now).toISOString() } : {};
    return cluster.update(certificateSecrets, {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...annotations, ...staged } },
      data,
    });
  }
}

interface SecretParts {
  readonly current: ServingPair;
  readonly next?: ServingPair;
  readonly bundle: string;
}

const OWN_KEYS: ReadonlySet<string> = new Set(['tls.crt', 'tls.key', 'next.crt', 'next.key', 'ca.crt']);

/** With a Secret, the new pair comes next: the authority of the current one stays in the bundle, and older ones go. */
function renewed(secret: SecretObject | undefined, made: ServingPair & { readonly ca: string }): SecretParts {
  if (secret === undefined) return { current: made, bundle: made.ca };
  const current = pairIn(secret, 'tls');
  const trusted = authoritiesOf(textIn(secret, 'ca.crt'), current.cert).map((one) => one.toString());
  return { current, next: made, bundle: [made.ca, ...trusted].map((pem) => `${pem.trim()}\n`).join('') };
}

function dataOf({ current, next, bundle }: SecretParts): Record<string, string> {
  const texts = {
    'tls.crt': current.cert,
    'tls.key': current.key,
    'ca.crt': bundle,
    ...(next && { 'next.crt': next.cert, 'next.key': next.key }),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const),
  );
}

function pairIn(secret: SecretObject, name: 'next' | 'tls'): ServingPair {
  return { cert: textIn(secret, `${name}.crt`), key: textIn(secret, `${name}.key`) };
}

/** What is no text is none: the Secret is then made anew. */
function textIn({ data }: SecretObject, key: string): string {
  return Buffer.from(textOf(recordOf(data)[key]), 'base64').toString('utf8');
}
