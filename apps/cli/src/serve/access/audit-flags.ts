/** The options of `listwatch serve` about the audit log: names and defaults of kube-apiserver. */

import type { AuditMode } from '@listwatch/server';
import type { OptionSpec } from '../option-spec.ts';
import { duration, nonEmpty, oneOfWords, trueOrFalse, type ValueKind, wholeNumber } from '../value-kind.ts';

/** How events look in a log. */
export type AuditLogFormat = 'json' | 'legacy';

/** The settings of the audit log. Times are in milliseconds. */
export interface AuditSettings {
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogFormat: AuditLogFormat;
  readonly auditLogMode: AuditMode;
  /** Megabytes. */
  readonly auditLogMaxsize: number;
  /** Days. */
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogCompress: boolean;
  readonly auditLogBatchBufferSize: number;
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxEventSize: number;
  readonly auditWebhookConfigFile: string | undefined;
  readonly auditWebhookMode: AuditMode;
  readonly auditWebhookInitialBackoff: number;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
  readonly auditWebhookBatchThrottleEnable: boolean;
  readonly auditWebhookBatchThrottleQps: number;
  readonly auditWebhookBatchThrottleBurst: number;
  readonly auditWebhookTruncateEnabled: boolean;
  readonly auditWebhookTruncateMaxEventSize: number;
  readonly auditWebhookTruncateMaxBatchSize: number;
}

/** One entry for each setting. */
export type AuditOptionSpecs = { readonly [K in keyof AuditSettings]: OptionSpec<AuditSettings[K]> };

const FILE = { group: 'Audit', value: 'FILE', kind: nonEmpty('a file'), fallback: undefined } as const;

function mode(fallback: AuditMode, help: string): OptionSpec<AuditMode> {
  const kind: ValueKind<AuditMode> = oneOfWords<AuditMode>('batch', 'blocking', 'blocking-strict');
  return { group: 'Audit', value: 'MODE', help, kind, fallback };
}

function number(value: string, fallback: number, help: string, least = 0): OptionSpec<number> {
  return { group: 'Audit', value, help, kind: wholeNumber(least), fallback };
}

function flag(fallback: boolean, help: string): OptionSpec<boolean> {
  return { group: 'Audit', value: 'BOOL', help, kind: trueOrFalse(), fallback, fallbackText: String(fallback) };
}

/** In the order of the help. */
export const AUDIT_OPTIONS: AuditOptionSpecs = {
  auditPolicyFile: { ...FILE, help: 'what is recorded of which requests: a Policy of audit.k8s.io/v1' },
  auditLogPath: { ...FILE, help: 'log of what was asked of the server, by whom and with what result; - for stdout' },
  auditLogFormat: {
    group: 'Audit',
    value: 'FORMAT',
    help: 'json, one event a line, or legacy, text',
    kind: oneOfWords<AuditLogFormat>('json', 'legacy'),
    fallback: 'json',
  },
  auditLogMode: mode(
    'blocking',
    'blocking (answers wait for the log), blocking-strict (what cannot be logged is refused) or batch (nobody waits)',
  ),
  auditLogMaxsize: number('MB', 100, 'megabytes of the log before it is rotated; 0 for never'),
  auditLogMaxage: number('DAYS', 366, 'days that rotated logs are kept; 0 for ever'),
  auditLogMaxbackup: number('N', 100, 'rotated logs that are kept; 0 for all'),
  auditLogCompress: flag(false, 'compress rotated logs with gzip'),
  auditLogBatchBufferSize: number('EVENTS', 10_000, 'events that may wait for the log in the mode batch', 1),
  auditLogTruncateEnabled: flag(false, 'leave the objects of large events out'),
  auditLogTruncateMaxEventSize: number('BYTES', 102_400, 'the size of a large event', 1),
  auditWebhookConfigFile: { ...FILE, help: 'kubeconfig of the server that events are sent to' },
  auditWebhookMode: mode('batch', 'the same as of the log'),
  auditWebhookInitialBackoff: {
    group: 'Audit',
    value: 'TIME',
    help: 'pause before the first of four retries',
    kind: duration({ least: 1 }),
    fallback: 10_000,
    fallbackText: '10s',
  },
  auditWebhookBatchBufferSize: number('EVENTS', 10_000, 'events that may wait for the webhook; more are lost', 1),
  auditWebhookBatchMaxSize: number('EVENTS', 400, 'events that are sent together', 1),
  auditWebhookBatchMaxWait: {
    group: 'Audit',
    value: 'TIME',
    help: 'how long an event waits for others',
    kind: duration(),
    fallback: 30_000,
    fallbackText: '30s',
  },
  auditWebhookBatchThrottleEnable: flag(true, 'send no more batches a second than follows'),
  auditWebhookBatchThrottleQps: number('N', 10, 'batches a second', 1),
  auditWebhookBatchThrottleBurst: number('N', 15, 'batches at once after a pause', 1),
  auditWebhookTruncateEnabled: flag(false, 'leave the objects of large events out'),
  auditWebhookTruncateMaxEventSize: number('BYTES', 102_400, 'the size of a large event', 1),
  auditWebhookTruncateMaxBatchSize: number('BYTES', 10_485_760, 'the most bytes of a batch', 1),
};
