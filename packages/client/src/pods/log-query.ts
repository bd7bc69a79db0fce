/** The query of a request for logs. */

import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import type { PodLogOptions } from './pod-logs.ts';

const LOG_NAMES: OptionNames<PodLogOptions> = {
  signal: true,
  container: true,
  follow: true,
  previous: true,
  sinceSeconds: true,
  sinceTime: true,
  tailLines: true,
  limitBytes: true,
  timestamps: true,
};

/** Throws a `TypeError` or `RangeError` that names the option that is wrong. */
export function logQuery(options: PodLogOptions): string {
  checkOptionNames('podLogs', options, LOG_NAMES);
  const { container, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw new TypeError('podLogs takes sinceSeconds or sinceTime, not both');
  }
  checkCount('sinceSeconds', sinceSeconds, 1);
  checkCount('tailLines', tailLines, 0);
  checkCount('limitBytes', limitBytes, 1);
  const params = new URLSearchParams();
  if (container !== undefined) params.append('container', container);
  for (const name of ['follow', 'previous', 'timestamps'] as const) {
    if (options[name] === true) params.append(name, 'true');
  }
  if (sinceTime !== undefined) params.append('sinceTime', timeText(sinceTime));
  for (const [name, value] of Object.entries({ sinceSeconds, tailLines, limitBytes })) {
    if (value !== undefined) params.append(name, String(value));
  }
  return params.toString();
}

/** A text goes as it is: the server reads RFC 3339. */
function timeText(time: Date | string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) throw new RangeError(`sinceTime is not a time: ${JSON.stringify(time)}`);
  return typeof time === 'string' ? time : date.toISOString();
}

function checkCount(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}`);
}
