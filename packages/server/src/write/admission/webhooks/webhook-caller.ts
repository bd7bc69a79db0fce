/** Sends reviews to webhooks: resolves the address, and applies timeouts and retries. */

import { isIP } from 'node:net';
import { abortable } from '@listwatch/api/internal';
import { BODY_LIMITS } from '@listwatch/rules/internal';
import type { Clock } from '@listwatch/storage';
import type { InProcessAnswer, InProcessWebhooks } from '../../../contract/in-process-webhooks.ts';
import { decodeJson } from '../../../stored/exact-json.ts';
import { MAX_LONG_NUMBERS, scanJson } from '../../../stored/json-scan.ts';
import { CallPlaces } from './call-places.ts';
import type { CompiledWebhook, WebhookPlace } from './compiled-webhook.ts';
import { LongAnswer, MAX_ANSWER_BYTES, type WebhookAnswer } from './webhook-answer.ts';
import { type WebhookAddress, WebhookClient } from './webhook-client.ts';
import { failureText, WebhookFailure } from './webhook-failure.ts';
import { bundleOf, type WebhookTarget, webhookTarget } from './webhook-target.ts';
import {
  type CertificateProblem,
  certificateProblem,
  codeProblem,
  connectionProblem,
  DEADLINE,
} from './webhook-words.ts';

/** The parts that callers need. */
export interface WebhookCallerParts {
  readonly clock: Clock;
  /** The address of a Service. Throws an Error such as `service "x" not found`. */
  readonly resolveService: (namespace: string, name: string, port: number) => { host: string; port: number };
  /** Is this an address of this server? It never calls itself. `address`: not a name. */
  readonly isOwn: (address: string, port: number) => boolean;
  /** Is asked before a connection is opened. */
  readonly inProcess?: InProcessWebhooks | undefined;
  /** Is told of a certificate that has ended a connection. */
  readonly onCertificate?: ((problem: CertificateProblem) => void) | undefined;
}

/** One call. */
export interface WebhookSend {
  /** Encodes the review when the call has a place: a thousand that wait would each hold a copy of their objects. */
  readonly body: () => Buffer;
  /** The time that the request has left, in milliseconds. */
  readonly remainingMs: number;
  readonly signal: AbortSignal;
}

/** Calls that are under way, and those that wait. */
export interface WebhookLoad {
  readonly inFlight: number;
  readonly waiting: number;
}

/** Clients that are kept, as in kube-apiserver. */
const CLIENTS_MAX = 200;
/** Attempts of one call: the first, and those that the webhook asks for. */
const ATTEMPTS_MAX = 11;

/** The calls of one server. */
export class WebhookCaller {
  readonly #parts: WebhookCallerParts;
  /** By place, least recently used first. */
  readonly #clients = new Map<string, WebhookClient>();
  readonly #places = new Map<string, CallPlaces>();

  constructor(parts: WebhookCallerParts) {
    this.#parts = parts;
  }

  /** The JSON of the answer. Rejects with a {@link WebhookFailure}, and with the signal's reason. */
  async call(hook: CompiledWebhook, { body, remainingMs, signal }: WebhookSend): Promise<unknown> {
    const ms = Math.min(hook.timeoutMs, remainingMs);
    const target = webhookTarget(hook, Math.max(1, Math.ceil(ms / 1000)));
    const failed = (why: string, cause?: unknown): WebhookFailure =>
      WebhookFailure.notCalled(`Post ${JSON.stringify(target.url)}: ${why}`, { cause });
    const ca = bundleOf(hook.place);
    const ending = new AbortController();
    const cancel = this.#parts.clock.after(Math.max(0, ms), () => ending.abort(failed(DEADLINE)));
    const abort = (): void => ending.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const places = this.#placesOf(hook);
    let isInside = false;
    try {
      await places.enter(ending.signal);
      isInside = true;
      return await this.#attempts(hook, { target, ca, body: body(), signal: ending.signal }, failed);
    } catch (error) {
      if (error instanceof WebhookFailure || (ending.signal.aborted && error === ending.signal.reason)) throw error;
      throw failed(failureText(error), error);
    } finally {
      if (isInside) places.leave();
      cancel();
      signal.removeEventListener('abort', abort);
      this.#forgetIdle(hook, places);
    }
  }

  /** The calls of a webhook that are under way, and those that wait. */
  load(hook: HookIdentity): WebhookLoad {
    const { inFlight = 0, waiting = 0 } = this.#places.get(hookKey(hook)) ?? {};
    return { inFlight, waiting };
  }

  /** The same of all webhooks. */
  totalLoad(): WebhookLoad {
    const all = [...this.#places.values()];
    const sum = (read: (places: CallPlaces) => number): number => all.reduce((total, one) => total + read(one), 0);
    return { inFlight: sum(({ inFlight }) => inFlight), waiting: sum(({ waiting }) => waiting) };
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  async #attempts(hook: CompiledWebhook, send: Sending, failed: Failed): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(hook, send, failed);
      const seconds = attempt < ATTEMPTS_MAX ? retrySeconds(answer) : undefined;
      if (seconds === undefined) return decoded(answer);
      await this.#pause(seconds * 1000, send.signal);
    }
  }

  async #send(hook: CompiledWebhook, { target, ca, body, signal }: Sending, failed: Failed): Promise<WebhookAnswer> {
    const inside = this.#parts.inProcess?.(new URL(target.url), body, signal);
    if (inside !== undefined) return answeredInside(inside, signal);
    let address: WebhookAddress;
    try {
      address = this.#addressOf(hook.place, target);
    } catch (error) {
      throw failed(failureText(error), error);
    }
    const { host, port } = address;
    try {
      // A name is checked when it is resolved.
      if (isIP(host) !== 0) this.#checkAddress(host, port);
      return await this.#clientOf(hook, address, ca).post(target.path, body, signal);
    } catch (error) {
      signal.throwIfAborted();
      const problem = certificateProblem(error);
      if (problem !== undefined) this.#parts.onCertificate?.(problem);
      throw failed(connectionProblem(error, hook.place.service === undefined ? host : address.servername, port), error);
    }
  }

  #addressOf({ service }: WebhookPlace, { host, port, authority }: WebhookTarget): WebhookAddress {
    const isAddress = /^[\d.]+$|:/u.test(host);
    const named = { servername: isAddress ? '' : host, authority };
    if (service === undefined) return { host, port, ...named, offersHttp2: isLoopback(host) };
    const found = this.#parts.resolveService(service.namespace, service.name, service.port);
    return { ...found, ...named, offersHttp2: false };
  }

  /** Webhooks in the same place share their connections. */
  #clientOf({ placeKey }: CompiledWebhook, address: WebhookAddress, ca: string | undefined): WebhookClient {
    const key = `${address.host} ${address.port} ${placeKey}`;
    const client =
      this.#clients.get(key) ??
      new WebhookClient(address, { ca, check: (resolved) => this.#checkAddress(resolved, address.port) });
    this.#clients.delete(key);
    this.#clients.set(key, client);
    if (this.#clients.size > CLIENTS_MAX) {
      const [[oldKey, old] = []] = this.#clients;
      if (oldKey !== undefined) this.#clients.delete(oldKey);
      old?.retire();
    }
    return client;
  }

  #checkAddress(address: string, port: number): void {
    if (!this.#parts.isOwn(address, port)) return;
    const shown = address.includes(':') ? `[${address}]` : address;
    throw new Error(`dial tcp ${shown}:${port}: this server does not call itself`);
  }

  #placesOf(hook: CompiledWebhook): CallPlaces {
    const key = hookKey(hook);
    const places = this.#places.get(key) ?? new CallPlaces();
    this.#places.set(key, places);
    return places;
  }

  #forgetIdle(hook: CompiledWebhook, { inFlight, waiting }: CallPlaces): void {
    if (inFlight === 0 && waiting === 0) this.#places.delete(hookKey(hook));
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = this.#parts.clock.after(ms, () => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }
}

async function answeredInside(inside: Promise<InProcessAnswer>, signal: AbortSignal): Promise<WebhookAnswer> {
  const answer = await abortable(inside, signal);
  if (answer.body.length > MAX_ANSWER_BYTES) throw new LongAnswer();
  return { ...answer, body: Buffer.from(answer.body) };
}

type HookIdentity = Pick<CompiledWebhook, 'configuration' | 'name' | 'type'>;

/** A mutating and a validating configuration may have one name, and webhooks of one name: cert-manager's do. */
function hookKey({ type, configuration, name }: HookIdentity): string {
  return `${type} ${configuration}/${name}`;
}

type Failed = (why: string, cause?: unknown) => WebhookFailure;

interface Sending {
  readonly target: WebhookTarget;
  readonly ca: string | undefined;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** How long the webhook asks to wait before another attempt; undefined when it does not. */
function retrySeconds({ status, retryAfter }: WebhookAnswer): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return /^\d{1,6}$/u.test(retryAfter) ? Number(retryAfter) : undefined;
}

function decoded({ status, contentType, body }: WebhookAnswer): unknown {
  const isFine = status >= 200 && status < 300;
  const problem = limitProblem(body);
  const answer = problem === undefined ? jsonOf(body) : undefined;
  if (!isFine) throw WebhookFailure.answered(codeProblem(status, contentType, body, answer), status);
  if (body.length === 0) {
    const what = `0-length response with status code: ${status} and content type: ${contentType}`;
    throw WebhookFailure.notCalled(what);
  }
  if (problem === undefined) return answer;
  throw WebhookFailure.notCalled(`couldn't get version/kind; json parse error: ${problem}`);
}

/** Reads other text than JSON as a string, as Kubernetes does, which parses it as YAML. */
function jsonOf(body: Buffer): unknown {
  try {
    return decodeJson(body);
  } catch {
    return body.toString();
  }
}

/** Refuses an answer that would take long to parse. */
function limitProblem(body: Buffer): string | undefined {
  const { members, parts, longNumbers, tooDeepAt } = scanJson(body);
  if (tooDeepAt >= 0) return 'exceeded max depth';
  if (members > BODY_LIMITS.members || parts > BODY_LIMITS.parts || longNumbers > MAX_LONG_NUMBERS) {
    return `the answer has more than ${BODY_LIMITS.members} fields or ${BODY_LIMITS.parts} values`;
  }
  return undefined;
}
