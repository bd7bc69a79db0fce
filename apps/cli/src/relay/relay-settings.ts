/** The options of `listwatch relay`, checked. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { journalKey, type RelayJournalOptions } from '@listwatch/relay';
import { type AuditOptions, readAuditPolicy } from '@listwatch/server';
import { load } from 'js-yaml';
import { explainFileError } from '../file-error.ts';
import type { CertificatePair } from '../pki/pki-folder.ts';
import {
  age,
  duration,
  ipAddressValue,
  listOfTexts,
  oneOfWords,
  port,
  type ValueKind,
  wholeNumber,
} from '../serve/value-kind.ts';
import { UsageError } from '../usage-error.ts';
import type { RelayFlags } from './relay-flags.ts';

/** What the command is to do. */
export interface RelaySettings {
  readonly kinds: readonly string[];
  readonly port: number;
  readonly host: string;
  /** Undefined: one is made in the data folder. */
  readonly serving: CertificatePair | undefined;
  readonly data: string;
  /** Undefined: there is none. */
  readonly health: { readonly host: string; readonly port: number } | undefined;
  readonly accessCacheMs: number;
  readonly maxKindBytes: number;
  readonly staleReads: boolean;
  readonly stretchAccessMs: number;
  readonly journal: RelayJournalOptions | undefined;
  readonly audit: AuditOptions | undefined;
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly logFormat: 'json' | 'text' | undefined;
}

const PORT = '6444';
const HEALTH = '127.0.0.1:6445';
const ACCESS_CACHE_MAX_MS = 10_000;
const STRETCH_MAX_MS = 7 * 24 * 60 * 60 * 1000;

/** Throws a `UsageError` that names the wrong option. */
export function relaySettings(flags: RelayFlags, folder: string): RelaySettings {
  const { kinds, tlsCertFile, tlsPrivateKeyFile } = flags;
  if (kinds === undefined) throw new UsageError('--kinds is required: for example --kinds pods,nodes,deployments.apps');
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new UsageError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  const accessCacheMs = parsed('--access-cache', duration({ bareUnit: 's' }), flags.accessCache ?? '10s');
  if (accessCacheMs > ACCESS_CACHE_MAX_MS) throw new UsageError('--access-cache must be at most 10s');
  const stretchAccessMs = parsed('--stretch-access', age(), flags.stretchAccess ?? '0s');
  if (stretchAccessMs > STRETCH_MAX_MS) throw new UsageError('--stretch-access must be at most 7d');
  const read = (option: string, path: string): string => readNamed(option, resolve(folder, path));
  return {
    kinds: [...new Set(parsed('--kinds', listOfTexts('kinds'), kinds))],
    port: parsed('--port', port(), flags.port ?? PORT),
    host: parsed('--bind-address', ipAddressValue(), flags.bindAddress ?? '127.0.0.1'),
    serving:
      tlsCertFile === undefined || tlsPrivateKeyFile === undefined
        ? undefined
        : { cert: read('--tls-cert-file', tlsCertFile), key: read('--tls-private-key-file', tlsPrivateKeyFile) },
    data: resolve(folder, flags.data ?? '.listwatch-relay'),
    health: healthAddress(flags.healthAddress ?? HEALTH),
    accessCacheMs,
    maxKindBytes: parsed('--max-kind-mib', wholeNumber(1, 1024 * 1024), flags.maxKindMib ?? '512') * 1024 * 1024,
    staleReads: flags.staleReads === true,
    stretchAccessMs,
    journal: journalOf(flags, folder),
    audit: auditOf(flags, folder, read),
    logFormat:
      flags.logFormat === undefined ? undefined : parsed('--log-format', oneOfWords('text', 'json'), flags.logFormat),
  };
}

function parsed<T>(option: string, kind: ValueKind<T>, text: string): T {
  const value = kind.parse(text);
  if (value === undefined) throw new UsageError(`${option} must be ${kind.expected}, got ${JSON.stringify(text)}`);
  return value;
}

function healthAddress(text: string): RelaySettings['health'] {
  if (text === 'off') return undefined;
  const colon = text.lastIndexOf(':');
  const host = ipAddressValue().parse(text.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/u, '$1'));
  const number = port().parse(text.slice(colon + 1));
  if (host === undefined || number === undefined) {
    throw new UsageError(`--health-address must be IP:PORT or off, got ${JSON.stringify(text)}`);
  }
  return { host, port: number };
}

function journalOf({ journal, journalKeyFile }: RelayFlags, folder: string): RelayJournalOptions | undefined {
  if (journal === undefined) {
    if (journalKeyFile !== undefined) throw new UsageError('--journal-key-file needs --journal');
    return undefined;
  }
  const place = resolve(folder, journal);
  if (journalKeyFile === undefined) return { folder: place };
  const content = fileNamed('--journal-key-file', resolve(folder, journalKeyFile));
  try {
    return { folder: place, key: journalKey(content) };
  } catch (error) {
    throw new UsageError(`--journal-key-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function auditOf(
  { auditPolicyFile, auditLogPath }: RelayFlags,
  folder: string,
  read: (option: string, path: string) => string,
): AuditOptions | undefined {
  if (auditPolicyFile === undefined && auditLogPath === undefined) return undefined;
  if (auditPolicyFile === undefined || auditLogPath === undefined) {
    throw new UsageError('--audit-policy-file and --audit-log-path must be given together');
  }
  try {
    const policy = readAuditPolicy(load(read('--audit-policy-file', auditPolicyFile)));
    return { policy, log: { path: auditLogPath === '-' ? '-' : resolve(folder, auditLogPath) } };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--audit-policy-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readNamed(option: string, path: string): string {
  return fileNamed(option, path).toString('utf8');
}

function fileNamed(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${JSON.stringify(path)}: ${explainFileError(error)}`);
  }
}
