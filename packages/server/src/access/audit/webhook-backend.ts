/** The webhook: lists of events are sent to another server. */

import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '@listwatch/storage';
import type { AuditBackend } from './audit-backend.ts';
import { type AuditEvent, eventJson } from './audit-event.ts';
import type { AuditLosses } from './audit-losses.ts';
import type { AuditBatchConfig, AuditMode, AuditTruncateConfig, AuditWebhookTarget } from './audit-options.ts';
import { BatchQueue } from './batch-queue.ts';
import { eventWeight, truncatedEvent } from './truncated-event.ts';
import { waitAtMost } from './wait-at-most.ts';

/** What a webhook is made of. */
export interface WebhookBackendParts {
  readonly target: AuditWebhookTarget;
  readonly mode: AuditMode;
  readonly initialBackoffMs: number;
  readonly batch: AuditBatchConfig;
  readonly truncate: AuditTruncateConfig | undefined;
  readonly losses: AuditLosses;
  readonly clock: Clock;
}

const TRIES = 5;
const FACTOR = 1.5;
const TIMEOUT_MS = 30_000;
/** Where answers begin to wait for a webhook that blocks, and where events are lost all the same. */
const SENDING_MAX_BYTES = 16 * 1024 * 1024;
const UNSENT_MAX_BYTES = 4 * SENDING_MAX_BYTES;
/** What a request to the webhook holds besides its event. */
const REQUEST_BYTES = 8 * 1024;
/** A server that ends does not wait longer for a webhook. */
const CLOSE_MS = 10_000;
const HEAD = '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[';

/** Sends events. In the mode `batch` nobody waits for it; in the others each event is sent by itself. */
export class WebhookBackend implements AuditBackend {
  readonly name = 'webhook';
  readonly isStrict: boolean;
  readonly #parts: WebhookBackendParts;
  readonly #queue: BatchQueue | undefined;
  readonly #agent: HttpAgent;
  readonly #closed = new AbortController();
  /** Events that are sent by themselves. */
  readonly #sending = new Set<Promise<boolean>>();
  #bytes = 0;

  constructor(parts: WebhookBackendParts) {
    this.#parts = parts;
    this.isStrict = parts.mode === 'blocking-strict';
    const { target, batch: config, clock, losses } = parts;
    const send = (events: readonly AuditEvent[]): Promise<boolean> => this.#send(events);
    this.#queue = parts.mode === 'batch' ? new BatchQueue({ config, clock, losses, send }) : undefined;
    const limits = { keepAlive: true, maxSockets: 16, maxFreeSockets: 2, timeout: 90_000 };
    this.#agent = isTls(target)
      ? new HttpsAgent({
          ...limits,
          ...(target.ca === undefined ? {} : { ca: target.ca }),
          ...(target.cert === undefined ? {} : { cert: target.cert }),
          ...(target.key === undefined ? {} : { key: target.key }),
          ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
          rejectUnauthorized: target.insecureSkipTlsVerify !== true,
        })
      : new HttpAgent(limits);
  }

  /** Events that wait for their batch, or for the answer of the webhook. */
  get waiting(): number {
    return this.#queue?.waiting ?? this.#sending.size;
  }

  take(event: AuditEvent): Promise<boolean> | undefined {
    const { truncate, losses } = this.#parts;
    const shown = truncate === undefined ? event : truncatedEvent(event, truncate.maxEventSize);
    if (shown === undefined) {
      losses.add('truncate', 1, 'event is too large');
      return undefined;
    }
    if (this.#queue === undefined) return this.#sendNow(shown);
    this.#queue.add(shown);
    return undefined;
  }

  room(): Promise<unknown> | undefined {
    return this.#bytes <= SENDING_MAX_BYTES ? undefined : Promise.race(this.#sending);
  }

  async close(): Promise<void> {
    await this.#queue?.close();
    if (this.#sending.size > 0) await waitAtMost(this.#parts.clock, CLOSE_MS, Promise.all(this.#sending));
    this.#closed.abort();
    this.#agent.destroy();
    // Unsent events fail now, so that they are counted before the server ends.
    await Promise.all(this.#sending);
  }

  #sendNow(event: AuditEvent): Promise<boolean> {
    const weight = eventWeight(event) + REQUEST_BYTES;
    if (this.#bytes > UNSENT_MAX_BYTES) {
      this.#parts.losses.add(this.name, 1, 'too many events wait for the webhook');
      return Promise.resolve(false);
    }
    this.#bytes += weight;
    const sending = this.#send([event]).finally(() => {
      this.#bytes -= weight;
      this.#sending.delete(sending);
    });
    this.#sending.add(sending);
    return sending;
  }

  /** Never rejects. */
  async #send(events: readonly AuditEvent[]): Promise<boolean> {
    let isSent = true;
    for (const list of this.#lists(events)) {
      try {
        await this.#sendList(`${HEAD}${list.join(',')}]}`);
      } catch (error) {
        this.#parts.losses.add(this.name, list.length, error);
        isSent = false;
      }
    }
    return isSent;
  }

  /** A batch that is too large is sent in several lists. */
  *#lists(events: readonly AuditEvent[]): Generator<readonly string[]> {
    const most = this.#parts.truncate?.maxBatchSize ?? Number.POSITIVE_INFINITY;
    let list: string[] = [];
    let bytes = 0;
    for (const event of events) {
      const json = eventJson(event);
      const size = Buffer.byteLength(json) + 1;
      if (list.length > 0 && bytes + size > most) {
        yield list;
        list = [];
        bytes = 0;
      }
      list.push(json);
      bytes += size;
    }
    if (list.length > 0) yield list;
  }

  async #sendList(body: string): Promise<void> {
    let pauseMs = this.#parts.initialBackoffMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#post(Buffer.from(body));
        return;
      } catch (error) {
        if (attempt === TRIES || this.#closed.signal.aborted) throw error;
        await this.#pause(pauseMs);
        if (this.#closed.signal.aborted) throw error;
        pauseMs *= FACTOR;
      }
    }
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#closed;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#parts.clock.after(ms, end);
      signal.addEventListener('abort', end);
    });
  }

  #post(body: Buffer): Promise<void> {
    const { target } = this.#parts;
    const url = new URL(target.url);
    url.searchParams.set('timeout', `${TIMEOUT_MS / 1000}s`);
    const authorization = target.authorization?.();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'content-length': body.length,
      ...(authorization === undefined ? {} : { authorization }),
    };
    const request = isTls(target) ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', headers, agent: this.#agent, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const sent = request(url, options, (response) => {
        const { statusCode = 0 } = response;
        // The answer says nothing: it is read so that the connection can be used again.
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          if (statusCode >= 200 && statusCode <= 299) resolve();
          else reject(new Error(`the webhook answered with ${statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

function isTls({ url }: AuditWebhookTarget): boolean {
  return url.startsWith('https:');
}
