/** Auditing, put together from its options. Start here. */

import type { AuditTrail } from '@listwatch/api/console';
import type { Clock } from '@listwatch/storage';
import type { AuditBackend } from './audit-backend.ts';
import { AuditCounts } from './audit-counts.ts';
import { AuditLosses } from './audit-losses.ts';
import {
  type AuditLogOptions,
  type AuditOptions,
  type AuditWebhookOptions,
  auditBatchConfig,
  auditTruncateConfig,
  requireNumber,
} from './audit-options.ts';
import { Auditor } from './auditor.ts';
import { DescriptorOutput } from './descriptor-output.ts';
import { type LineOutput, LogBackend } from './log-backend.ts';
import { readLogTail, type TrailObject } from './log-tail.ts';
import { RotatingFile, rotationConfig } from './rotating-file.ts';
import { WebhookBackend } from './webhook-backend.ts';

/** What auditing needs of the server. */
export interface AuditParts {
  readonly clock: Clock;
  /** Hears of events that were lost. */
  readonly onLoss: (error: Error) => void;
  /** A body in YAML as JSON. */
  readonly yamlJson: (body: Buffer) => string;
}

/** Auditing of one server. */
export interface Audit {
  readonly auditor: Auditor;
  readonly counts: AuditCounts;
  /** Events that wait, by plugin. */
  waiting(): Readonly<Record<string, number>>;
  /** The last requests for an object; absent where there is no file of JSON to read them from. */
  readonly trail: ((object: TrailObject) => Promise<AuditTrail>) | undefined;
  /** Appends lines that another process made; how many were written. */
  append(lines: readonly string[]): Promise<number>;
  /** Opens the log. Rejects with Node's error when it cannot be written. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const STANDARD_OUTPUT = 1;

/** Makes it; undefined without a backend. Throws a `TypeError` or a `RangeError` that names the option. */
export function createAudit(options: AuditOptions, { clock, onLoss, yamlJson }: AuditParts): Audit | undefined {
  const counts = new AuditCounts();
  const losses = new AuditLosses(clock, counts, onLoss);
  const output = options.log === undefined ? undefined : outputOf(options.log, clock);
  const log = options.log === undefined || output === undefined ? undefined : logBackend(options.log, output, losses);
  const webhook = options.webhook === undefined ? undefined : webhookBackend(options.webhook, clock, losses);
  const backends: readonly AuditBackend[] = [log, webhook].filter((backend) => backend !== undefined);
  if (backends.length === 0) return undefined;
  const auditor = new Auditor({ policy: options.policy, backends, counts, clock, yamlJson });
  return {
    auditor,
    counts,
    waiting: () => ({
      ...(log === undefined ? {} : { log: log.waiting }),
      ...(webhook === undefined ? {} : { webhook: webhook.waiting }),
    }),
    trail: trailOf(options.log),
    append: async (lines) => (log === undefined ? 0 : log.append(lines)),
    start: async () => output?.open(),
    close: async () => {
      try {
        await auditor.close();
      } finally {
        losses.close();
      }
    },
  };
}

function trailOf(log: AuditLogOptions | undefined): Audit['trail'] {
  if (log === undefined || log.output !== undefined || log.path === '-' || log.format === 'legacy') return undefined;
  return (object) => readLogTail(log.path, object);
}

function outputOf(options: AuditLogOptions, clock: Clock): LineOutput {
  if (options.output !== undefined) return options.output;
  if (options.path === '') throw new TypeError('audit.log.path must name a file, or be - for the standard output');
  requireNumber('audit.log.maxSize', options.maxSize ?? 0, 0);
  requireNumber('audit.log.maxAge', options.maxAge ?? 0, 0);
  requireNumber('audit.log.maxBackup', options.maxBackup ?? 0, 0);
  if (options.path === '-') return new DescriptorOutput(STANDARD_OUTPUT, clock);
  return new RotatingFile(options.path, rotationConfig(options), () => clock.now());
}

function logBackend(options: AuditLogOptions, output: LineOutput, losses: AuditLosses): LogBackend {
  const { format = 'json', mode = 'blocking' } = options;
  const { bufferSize } = auditBatchConfig('log', options.batch);
  return new LogBackend({
    output,
    format,
    mode,
    bufferSize,
    truncate: auditTruncateConfig('log', options.truncate),
    losses,
  });
}

function webhookBackend(options: AuditWebhookOptions, clock: Clock, losses: AuditLosses): WebhookBackend {
  const { target, mode = 'batch', initialBackoffMs = 10_000 } = options;
  if (!/^https?:\/\//u.test(target.url)) throw new TypeError(`audit.webhook.target.url must be http or https`);
  requireNumber('audit.webhook.initialBackoffMs', initialBackoffMs, 1);
  const batch = auditBatchConfig('webhook', options.batch);
  const truncate = auditTruncateConfig('webhook', options.truncate);
  return new WebhookBackend({ target, mode, initialBackoffMs, batch, truncate, losses, clock });
}
