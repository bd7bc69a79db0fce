/** Validates the options of `listwatch doctor`. */

import { parseResourceName, RESOURCE_FORMS } from '@listwatch/client/internal';
import { duration, oneOf, type ValueKind, wholeNumber } from '../serve/value-kind.ts';
import { UsageError } from '../usage-error.ts';
import type { DoctorFlags } from './doctor-flags.ts';

/** What to examine and how to show it. */
export interface DoctorSettings {
  /** Names of the checks to run, in their order. */
  readonly checks: readonly string[];
  readonly resource: string | undefined;
  /** Undefined: all namespaces where that is allowed. */
  readonly namespace: string | undefined;
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

/** Throws a `UsageError` that names the option and shows the value. */
export function resolveDoctorSettings(flags: DoctorFlags, all: readonly string[]): DoctorSettings {
  const { resource, namespace, thorough = false } = flags;
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    throw new UsageError(`--namespace must be a name such as default, got ${JSON.stringify(namespace)}`);
  const named = resource === undefined ? undefined : parseResourceName(resource);
  if (resource !== undefined && (named === undefined || named.object !== undefined))
    throw new UsageError(`--resource must be ${RESOURCE_FORMS}, without a name, got ${JSON.stringify(resource)}`);
  const only = checkNames('--only', flags.only, all);
  const skip = checkNames('--skip', flags.skip, all);
  const checks = all.filter((name) => (only ?? all).includes(name) && skip?.includes(name) !== true);
  if (checks.length === 0) throw new UsageError('--only and --skip leave no check to run');
  const held = duration({ least: LEAST_DURATION_MS });
  return Object.freeze({
    checks,
    resource,
    namespace,
    write: flags.write ?? false,
    durationMs:
      parsed('--duration', flags.duration, { ...held, expected: 'a duration of at least 3s, such as 20s or 5m' }) ??
      (thorough ? THOROUGH_MS : DURATION_MS),
    thorough,
    timeoutMs: parsed('--timeout', flags.timeout, duration({ least: 1 })) ?? TIMEOUT_MS,
    top: parsed('--top', flags.top, wholeNumber(1, 1000)) ?? TOP,
    format: parsed('--output', flags.output, oneOf('text', 'json')) ?? 'text',
    status: flags.status ?? true,
  });
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
