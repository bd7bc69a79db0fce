/** Statistics of each webhook since the start of the server: `/debug/webhooks` shows them, slow webhooks first. */

import type { CompiledWebhook } from './compiled-webhook.ts';

/** How one call ended. */
export type CallEnd = { readonly type: 'allowed' | 'refused' } | { readonly type: 'failed'; readonly why: string };

/** The calls of one webhook. Times are in seconds. */
export interface WebhookRecord {
  readonly type: CompiledWebhook['type'];
  readonly configuration: string;
  readonly name: string;
  calls: number;
  refused: number;
  failed: number;
  totalSeconds: number;
  slowestSeconds: number;
  lastFailure: string;
}

/** Records that are kept: of more webhooks the oldest are forgotten. */
const RECORDS_MAX = 1000;
const SHOWN_FAILURE = 300;

/** The records of one server. */
export class WebhookRecords {
  readonly #known = new Map<string, WebhookRecord>();

  add({ type, configuration, name }: CompiledWebhook, seconds: number, end: CallEnd): void {
    const key = `${type} ${configuration}/${name}`;
    const record = this.#known.get(key) ?? newRecord(type, configuration, name);
    record.calls += 1;
    record.totalSeconds += seconds;
    record.slowestSeconds = Math.max(record.slowestSeconds, seconds);
    if (end.type === 'refused') record.refused += 1;
    if (end.type === 'failed') {
      record.failed += 1;
      record.lastFailure = end.why.slice(0, SHOWN_FAILURE);
    }
    this.#known.set(key, record);
    if (this.#known.size <= RECORDS_MAX) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** The slowest first. */
  list(): readonly WebhookRecord[] {
    return [...this.#known.values()].toSorted((one, other) => other.slowestSeconds - one.slowestSeconds);
  }
}

function newRecord(type: WebhookRecord['type'], configuration: string, name: string): WebhookRecord {
  const none = { calls: 0, refused: 0, failed: 0, totalSeconds: 0, slowestSeconds: 0, lastFailure: '' };
  return { type, configuration, name, ...none };
}
