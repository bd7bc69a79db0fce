/** What a set of webhooks can be told. */

import { type Clock, systemClock } from '@listwatch/api';
import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import type { Logger } from '../controller/logger.ts';
import { hookLog } from './hook-log.ts';

/** Options of {@link webhooks}. */
export interface WebhooksOptions {
  /** pino's loggers fit. Default: warnings and errors on the console; that of the manager where one serves the webhooks. */
  readonly logger?: Logger | undefined;
  /** Default: that of the machine; that of the cluster where a manager serves the webhooks. */
  readonly clock?: Clock | undefined;
  /** Calls that are answered at once; more get 429 and are repeated by the API server. Default: 100. */
  readonly maxInFlight?: number | undefined;
  /** Bytes of all bodies that are in memory at once. Default: 256 MiB. */
  readonly maxInFlightBytes?: number | undefined;
  /** The largest AdmissionReview, which has an object twice. Default: 8 MiB; kube-apiserver stores objects up to 1.5 MiB and takes 3 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** The largest ConversionReview, which has all objects of a list. Default: 64 MiB. */
  readonly maxConversionBytes?: number | undefined;
}

/** The options, checked and filled in. */
export interface WebhooksConfig {
  readonly logger: Logger | undefined;
  readonly clock: Clock | undefined;
  readonly maxInFlight: number;
  readonly maxInFlightBytes: number;
  readonly maxBodyBytes: number;
  readonly maxConversionBytes: number;
}

const NAMES: OptionNames<WebhooksOptions> = {
  logger: true,
  clock: true,
  maxInFlight: true,
  maxInFlightBytes: true,
  maxBodyBytes: true,
  maxConversionBytes: true,
};

const MIB = 1024 * 1024;

/** Throws a TypeError or a RangeError that names the option. */
export function resolveWebhooksOptions(options: WebhooksOptions): WebhooksConfig {
  checkOptionNames('webhooks', options, NAMES);
  const {
    maxInFlight = 100,
    maxInFlightBytes = 256 * MIB,
    maxBodyBytes = 8 * MIB,
    maxConversionBytes = 64 * MIB,
  } = options;
  for (const [name, value] of Object.entries({ maxInFlight, maxInFlightBytes, maxBodyBytes, maxConversionBytes }))
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new RangeError(`${name} of webhooks must be a whole number from 1 on, not ${value}`);
  return {
    logger: options.logger && hookLog(options.logger, {}),
    clock: options.clock,
    maxInFlight,
    maxInFlightBytes,
    maxBodyBytes,
    maxConversionBytes,
  };
}

/** Warnings and errors alone: an exception that nobody reads of would be a riddle. */
export const consoleLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (facts, message) => globalThis.console.warn(`listwatch: ${message}`, facts),
  error: (facts, message) => globalThis.console.error(`listwatch: ${message}`, facts),
};

export const defaultClock: Clock = systemClock;
