/** Calls a webhook over TLS, with a timeout and a size limit for the answer. */

import { Agent, request as httpsRequest } from 'node:https';
import { abortable, GatheredBytes } from '@listwatch/api/internal';
import type { InProcessWebhooks } from '../contract/in-process-webhooks.ts';
import type { ConversionTarget } from '../kinds/crd/custom-definition.ts';
import { decodeAnswer } from './decoded-answer.ts';

/** As kube-apiserver. */
const TIMEOUT_MS = 30_000;
/** The size limit of an answer: one object of maximum size and several times the request. Answers are held in memory twice. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const LARGEST_OBJECT_BYTES = 3 * 1024 * 1024;
const ANSWER_PER_QUESTION = 4;

/** The bytes of an answer that an error shows. */
const SHOWN_BYTES = 200;

/** The address of a service. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds a service. Throws an Error such as `service "x" not found`. */
export type ResolveService = (namespace: string, name: string, port: number) => ServiceAddress;

/** How webhooks are reached. */
export interface WebhookReach {
  readonly resolve: ResolveService;
  /** Is asked before a connection is opened. */
  readonly inProcess: InProcessWebhooks | undefined;
}

/** A webhook that can be called. */
export class WebhookCall {
  readonly #target: ConversionTarget;
  readonly #reach: WebhookReach;
  #agent: Agent | undefined;

  constructor(target: ConversionTarget, reach: WebhookReach) {
    this.#target = target;
    this.#reach = reach;
  }

  /** Sends JSON and resolves with the JSON of the answer. Rejects with an Error in the words of Go's client. */
  async post(body: Buffer): Promise<unknown> {
    const place = this.#place();
    const { url } = place;
    const { status, bytes } = (await this.#inside(url, body)) ?? (await this.#sent(place, body));
    const answer = await decodeAnswer(bytes).catch((error: unknown) => {
      throw new Error(`Post "${url}": ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    if (status < 200 || status > 206)
      throw new Error(refusalOf(status, bytes.toString('utf8', 0, SHOWN_BYTES), answer));
    return answer;
  }

  async #inside(url: string, body: Buffer): Promise<{ status: number; bytes: Buffer } | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const inside = this.#reach.inProcess?.(new URL(url), body, signal);
    if (inside === undefined) return undefined;
    try {
      const answer = await abortable(inside, signal);
      return { status: answer.status, bytes: Buffer.from(answer.body) };
    } catch (error) {
      const why = signal.aborted ? 'context deadline exceeded' : String(error);
      throw new Error(`Post "${url}": ${why}`, { cause: error });
    }
  }

  #sent({ url, host, port, servername, path }: Place, body: Buffer): Promise<{ status: number; bytes: Buffer }> {
    const maxBytes = Math.min(MAX_ANSWER_BYTES, LARGEST_OBJECT_BYTES + ANSWER_PER_QUESTION * body.length);
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`Post "${url}": ${why}`));
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': body.length };
      const options = { method: 'POST', host, port, servername, path, headers, agent: this.#connections(), signal };
      const sent = httpsRequest(options, (response) => {
        const bytes = new GatheredBytes();
        response.on('data', (part: Buffer) => {
          if (bytes.length + part.length > maxBytes)
            response.destroy(new Error(`the answer has more than ${maxBytes} bytes`));
          else bytes.add(part);
        });
        response.on('error', (error) => fail(reasonOf(error, host, port)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(bytes.chunks()) }));
      });
      sent.on('error', (error) => fail(reasonOf(error, host, port)));
      sent.end(body);
    });
  }

  #connections(): Agent {
    const { caBundle } = this.#target;
    const ca = caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64').toString('latin1') };
    this.#agent ??= new Agent({ ...ca, keepAlive: true, maxSockets: 16, maxFreeSockets: 2, timeout: 90_000 });
    return this.#agent;
  }

  #place(): Place {
    const { url, service } = this.#target;
    const timeout = `timeout=${TIMEOUT_MS / 1000}s`;
    if (service !== undefined) {
      const { host, port } = this.#reach.resolve(service.namespace, service.name, service.port);
      const servername = `${service.name}.${service.namespace}.svc`;
      const path = `/${service.path.replace(/^\//u, '')}?${timeout}`;
      return { url: `https://${servername}:${service.port}${path}`, host, port, servername, path };
    }
    const place = new URL(url ?? '');
    place.search = timeout;
    const host = place.hostname.replace(/^\[|\]$/gu, '');
    // TLS server names cannot be IP addresses.
    const servername = /^[\d.]+$|:/u.test(host) ? '' : host;
    const path = `${place.pathname}${place.search}`;
    return { url: String(place), host, port: Number(place.port || 443), servername, path };
  }
}

interface Place {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly path: string;
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
};

function reasonOf(error: Error, host: string, port: number): string {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ABORT_ERR' || error.name === 'TimeoutError') return 'context deadline exceeded';
  if (code === 'ECONNREFUSED') return `dial tcp ${host}:${port}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  const tls = TLS_REASONS[code];
  return tls === undefined ? error.message : `tls: failed to verify certificate: x509: ${tls}`;
}

function refusalOf(status: number, text: string, answer: unknown): string {
  const message = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : undefined;
  if (typeof message === 'string' && message !== '') return message;
  if (status === 404) return 'the server could not find the requested resource';
  return `an error on the server (${JSON.stringify(text.trim() || 'unknown')}) has prevented the request from succeeding`;
}
