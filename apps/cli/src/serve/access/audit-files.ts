/** The files that the options about the audit log name: read once, while the option can be blamed. */

import { readFileSync } from 'node:fs';
import { type AuditOptions, type AuditPolicy, AuditPolicyError, readAuditPolicy } from '@listwatch/server';
import { load, YAMLException } from 'js-yaml';
import { explainFileError } from '../../file-error.ts';
import { UsageError } from '../../usage-error.ts';
import { optionName } from '../option-spec.ts';
import type { ServeSettings } from '../serve-options.ts';
import { readWebhookConfig, WebhookConfigError } from './audit-webhook-config.ts';

/** The options, and what the policy says that nobody reads. */
export interface AuditFiles {
  readonly options: AuditOptions | undefined;
  readonly warnings: readonly string[];
}

/** Reads them. Throws a `UsageError` that names the option. */
export function readAuditFiles(settings: ServeSettings): AuditFiles {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = settings;
  if (auditPolicyFile === undefined) {
    const given = auditLogPath === undefined ? auditWebhookConfigFile && 'auditWebhookConfigFile' : 'auditLogPath';
    // As in Kubernetes nothing would be recorded; whoever names a log wants to find something there.
    if (given) throw new UsageError(`--audit-policy-file must be given with --${optionName(given)}, got none`);
    return { options: undefined, warnings: [] };
  }
  const policy = readPolicy(auditPolicyFile);
  const warnings = policy.warnings.map((warning) => `--audit-policy-file: ${warning} is not used`);
  if (auditLogPath === undefined && auditWebhookConfigFile === undefined) {
    const why = 'nothing is recorded: --audit-policy-file needs --audit-log-path or --audit-webhook-config-file';
    return { options: undefined, warnings: [...warnings, why] };
  }
  return { options: { policy, ...logOptions(settings), ...webhookOptions(settings) }, warnings };
}

function readPolicy(path: string): AuditPolicy {
  const text = readText('auditPolicyFile', path);
  try {
    return readAuditPolicy(load(text));
  } catch (error) {
    if (!(error instanceof AuditPolicyError) && !(error instanceof YAMLException)) throw error;
    throw new UsageError(`loading audit policy file: ${error.message}: from file ${path}`);
  }
}

function logOptions(settings: ServeSettings): Pick<AuditOptions, 'log'> {
  const { auditLogPath: path } = settings;
  if (path === undefined) return {};
  return {
    log: {
      path,
      format: settings.auditLogFormat,
      mode: settings.auditLogMode,
      maxSize: settings.auditLogMaxsize,
      maxAge: settings.auditLogMaxage,
      maxBackup: settings.auditLogMaxbackup,
      compress: settings.auditLogCompress,
      batch: { bufferSize: settings.auditLogBatchBufferSize },
      truncate: settings.auditLogTruncateEnabled ? { maxEventSize: settings.auditLogTruncateMaxEventSize } : undefined,
    },
  };
}

function webhookOptions(settings: ServeSettings): Pick<AuditOptions, 'webhook'> {
  const { auditWebhookConfigFile: path } = settings;
  if (path === undefined) return {};
  const maxEventSize = settings.auditWebhookTruncateMaxEventSize;
  const maxBatchSize = settings.auditWebhookTruncateMaxBatchSize;
  if (settings.auditWebhookTruncateEnabled && maxBatchSize < maxEventSize) {
    throw new UsageError(
      `--audit-webhook-truncate-max-batch-size must be at least the size of an event, ${maxEventSize}, got ${maxBatchSize}`,
    );
  }
  return {
    webhook: {
      target: webhookTarget(path),
      mode: settings.auditWebhookMode,
      initialBackoffMs: settings.auditWebhookInitialBackoff,
      batch: {
        bufferSize: settings.auditWebhookBatchBufferSize,
        maxSize: settings.auditWebhookBatchMaxSize,
        maxWaitMs: settings.auditWebhookBatchMaxWait,
        throttleQps: settings.auditWebhookBatchThrottleEnable ? settings.auditWebhookBatchThrottleQps : 0,
        throttleBurst: settings.auditWebhookBatchThrottleBurst,
      },
      truncate: settings.auditWebhookTruncateEnabled ? { maxEventSize, maxBatchSize } : undefined,
    },
  };
}

function webhookTarget(path: string): ReturnType<typeof readWebhookConfig> {
  const text = readText('auditWebhookConfigFile', path);
  try {
    return readWebhookConfig(load(text), path);
  } catch (error) {
    if (!(error instanceof WebhookConfigError) && !(error instanceof YAMLException)) throw error;
    throw new UsageError(`--audit-webhook-config-file must be a kubeconfig, got ${path}: ${error.message}`);
  }
}

function readText(name: keyof ServeSettings, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const given = `${JSON.stringify(path)}: ${explainFileError(error)}`;
    throw new UsageError(`--${optionName(name)} must be a file that can be read, got ${given}`);
  }
}
