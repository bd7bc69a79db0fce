/** What can be told to the audit log, and what holds when nothing is said: as kube-apiserver. */

import type { AuditPolicy } from './audit-policy.ts';
import type { LineOutput } from './log-backend.ts';

/**
 * `blocking`: an answer waits until the events before it are written; what cannot be written is lost and counted. `blocking-strict`:
 * and a request whose first event cannot be written is refused with 500. `batch`: nobody waits.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** How events are gathered where the mode is `batch`. */
export interface AuditBatchOptions {
  /** Events that may wait; more are lost. Default: 10 000. */
  readonly bufferSize?: number | undefined;
  /** Events that are written together. Default: 400 for a webhook, 1 for a log. */
  readonly maxSize?: number | undefined;
  /** How long an event may wait for others. Default: 30 s for a webhook, 0 for a log. */
  readonly maxWaitMs?: number | undefined;
  /** Batches a second. Default: 10 for a webhook, 0 (no limit) for a log. */
  readonly throttleQps?: number | undefined;
  /** Batches at once after a pause. Default: 15. */
  readonly throttleBurst?: number | undefined;
}

/** When events are too large. */
export interface AuditTruncateOptions {
  /** An event with more bytes loses its objects, and if it is still too large it is lost. Default: 102 400. */
  readonly maxEventSize?: number | undefined;
  /** The bytes of events that are sent together. Default: 10 485 760. */
  readonly maxBatchSize?: number | undefined;
}

/** A file of JSON, one event a line. */
export interface AuditLogOptions {
  /** `-` is the standard output. A file is made with mode 0600, a missing folder with 0700. */
  readonly path: string;
  /** Takes the lines instead of a file: another process writes it. */
  readonly output?: LineOutput | undefined;
  /** `legacy` is one line of text for each event. Default: json. */
  readonly format?: 'json' | 'legacy' | undefined;
  /** Default: blocking. */
  readonly mode?: AuditMode | undefined;
  /** Megabytes of a file before it is rotated. 0: never. Default: 100. */
  readonly maxSize?: number | undefined;
  /** Days that rotated files are kept. 0: for ever. Default: 366. */
  readonly maxAge?: number | undefined;
  /** Rotated files that are kept. 0: all. Default: 100. */
  readonly maxBackup?: number | undefined;
  /** Compress rotated files with gzip. Default: false. */
  readonly compress?: boolean | undefined;
  /** A log writes together what has come: it has no other limits. */
  readonly batch?: Pick<AuditBatchOptions, 'bufferSize'> | undefined;
  /** Default: events are never truncated. */
  readonly truncate?: AuditTruncateOptions | undefined;
}

/** Where a webhook is, and how it knows this server. */
export interface AuditWebhookTarget {
  /** http or https. */
  readonly url: string;
  /** PEM. Default: Node's own list. */
  readonly ca?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** The name in the certificate, where that is not the host of the URL. */
  readonly tlsServerName?: string | undefined;
  /** PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The value of the `Authorization` header; asked for each time, because files of tokens change. */
  readonly authorization?: (() => string | undefined) | undefined;
}

/** A server that is sent the events. */
export interface AuditWebhookOptions {
  readonly target: AuditWebhookTarget;
  /** Default: batch. */
  readonly mode?: AuditMode | undefined;
  /** The pause before the first retry of five. Default: 10 s. */
  readonly initialBackoffMs?: number | undefined;
  readonly batch?: AuditBatchOptions | undefined;
  /** Default: events are never truncated. */
  readonly truncate?: AuditTruncateOptions | undefined;
}

/** Options of auditing. Without `log` and `webhook` nothing is recorded. */
export interface AuditOptions {
  /** See `readAuditPolicy`. */
  readonly policy: AuditPolicy;
  readonly log?: AuditLogOptions | undefined;
  readonly webhook?: AuditWebhookOptions | undefined;
}

/** Batches with nothing left open. */
export type AuditBatchConfig = { readonly [K in keyof AuditBatchOptions]-?: number };

/** Limits with nothing left open. */
export type AuditTruncateConfig = { readonly [K in keyof AuditTruncateOptions]-?: number };

const WEBHOOK_BATCH: AuditBatchConfig = {
  bufferSize: 10_000,
  maxSize: 400,
  maxWaitMs: 30_000,
  throttleQps: 10,
  throttleBurst: 15,
};
const LOG_BATCH: AuditBatchConfig = { ...WEBHOOK_BATCH, maxSize: 1, maxWaitMs: 0, throttleQps: 0 };

/** Fills in what was not said. Throws a `RangeError` that names the option. */
export function auditBatchConfig(plugin: 'log' | 'webhook', options: AuditBatchOptions = {}): AuditBatchConfig {
  const known = plugin === 'log' ? LOG_BATCH : WEBHOOK_BATCH;
  const config = {
    bufferSize: options.bufferSize ?? known.bufferSize,
    maxSize: options.maxSize ?? known.maxSize,
    maxWaitMs: options.maxWaitMs ?? known.maxWaitMs,
    throttleQps: options.throttleQps ?? known.throttleQps,
    throttleBurst: options.throttleBurst ?? known.throttleBurst,
  };
  requireNumber(`audit.${plugin}.batch.bufferSize`, config.bufferSize, 1);
  requireNumber(`audit.${plugin}.batch.maxSize`, config.maxSize, 1);
  requireNumber(`audit.${plugin}.batch.maxWaitMs`, config.maxWaitMs, 0);
  requireNumber(`audit.${plugin}.batch.throttleQps`, config.throttleQps, 0);
  requireNumber(`audit.${plugin}.batch.throttleBurst`, config.throttleBurst, 1);
  return config;
}

/** Fills in what was not said; undefined when nothing is truncated. Throws a `RangeError` that names the option. */
export function auditTruncateConfig(
  plugin: 'log' | 'webhook',
  options: AuditTruncateOptions | undefined,
): AuditTruncateConfig | undefined {
  if (options === undefined) return undefined;
  const { maxEventSize = 102_400, maxBatchSize = 10_485_760 } = options;
  requireNumber(`audit.${plugin}.truncate.maxEventSize`, maxEventSize, 1);
  requireNumber(`audit.${plugin}.truncate.maxBatchSize`, maxBatchSize, maxEventSize);
  return { maxEventSize, maxBatchSize };
}

/** Throws a `RangeError` unless the number is at least this. */
export function requireNumber(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw new RangeError(`${name} must be a number of ${least} or more, not ${value}`);
}
