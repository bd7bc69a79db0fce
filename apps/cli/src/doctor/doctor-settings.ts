/** Validates the options of `listwatch doctor`. */

import { parseResourceName, RESOURCE_FORMS } from '@listwatch/client/internal';
import type { UsedRights } from '@listwatch/runtime/manager';
import { readRights } from '../rbac/read-rights.ts';
import { parseServiceAccount } from '../rbac/service-account-name.ts';
import { duration, oneOfWords, type ValueKind, wholeNumber } from '../serve/value-kind.ts';
import { UsageError } from '../usage-error.ts';
import type { DoctorFlags } from './doctor-flags.ts';

/** What to examine and how to show it. */
export interface DoctorSettings {
  /** Names of the checks to run, in their order. */
  readonly checks: readonly string[];
  readonly resource: string | undefined;
  /** Undefined: all namespaces where that is allowed. */
  readonly namespace: string | undefined;
  /** NAMESPACE/NAME. Undefined: this user. */
  readonly serviceAccount: string | undefined;
  /** The resources that a program follows. */
  readonly informers: readonly string[] | undefined;
  /** What a program has recorded. */
  readonly rights: UsedRights | undefined;
  readonly write: boolean;
  readonly durationMs: number;
  readonly thorough: boolean;
  readonly timeoutMs: number;
  readonly top: number;
  readonly format: 'json' | 'text';
  readonly status: boolean;
}

const DURATION_MS = 20_000;
const THOROUGH_MS = 300_000;
const TIMEOUT_MS = 30_000;
const TOP = 10;
/** A server sends the last bookmark of a watch two seconds before its end. */
const LEAST_DURATION_MS = 3000;
/** A DNS label, as the server requires it. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;

/** Throws a `UsageError` that names the option and shows the value, and a `StartError` for a file that cannot be read. */
export function resolveDoctorSettings(flags: DoctorFlags, all: readonly string[], folder: string): DoctorSettings {
  const { resource, namespace, thorough = false } = flags;
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    throw new UsageError(`--namespace must be a name such as default, got ${JSON.stringify(namespace)}`);
  if (resource !== undefined) checkedResource('--resource', resource);
  const only = checkNames('--only', flags.only, all);
  const skip = checkNames('--skip', flags.skip, all);
  const checks = all.filter((name) => (only ?? all).includes(name) && skip?.includes(name) !== true);
  if (checks.length === 0) throw new UsageError('--only and --skip leave no check to run');
  const held = duration({ least: LEAST_DURATION_MS });
  return Object.freeze({
    checks,
    resource,
    namespace,
    serviceAccount: accountText(flags.serviceAccount),
    informers: flags.informers?.split(',').map((name) => checkedResource('--informers', name.trim())),
    rights: flags.rights === undefined ? undefined : readRights([flags.rights], folder),
    write: flags.write ?? false,
    durationMs:
      parsed('--duration', flags.duration, { ...held, expected: 'a duration of at least 3s, such as 20s or 5m' }) ??
      (thorough ? THOROUGH_MS : DURATION_MS),
    thorough,
    timeoutMs: parsed('--timeout', flags.timeout, duration({ least: 1 })) ?? TIMEOUT_MS,
    top: parsed('--top', flags.top, wholeNumber(1, 1000)) ?? TOP,
    format: parsed('--output', flags.output, oneOfWords('text', 'json')) ?? 'text',
    status: flags.status ?? true,
  });
}

function checkedResource(option: string, text: string): string {
  const named = parseResourceName(text);
  if (named !== undefined && named.object === undefined) return text;
  throw new UsageError(`${option} must be ${RESOURCE_FORMS}, without a name, got ${JSON.stringify(text)}`);
}

function accountText(text: string | undefined): string | undefined {
  if (text !== undefined) parseServiceAccount(text);
  return text;
}

function parsed<T>(option: string, text: string | undefined, kind: ValueKind<T>): T | undefined {
  if (text === undefined) return undefined;
  const value = kind.parse(text);
  if (value === undefined) throw new UsageError(`${option} must be ${kind.expected}, got ${JSON.stringify(text)}`);
  return value;
}

function checkNames(option: string, text: string | undefined, all: readonly string[]): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`${option} must name checks (${all.join(', ')}), got ${JSON.stringify(unknown)}`);
  }
  return names;
}
