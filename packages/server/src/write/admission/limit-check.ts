/** The checks of one limit of a LimitRange, in the words of Kubernetes. */

import { type JsonRecord, recordOf, textOf } from '../../kinds/json/json-value.ts';
import { quantityValue } from '../../kinds/validation/quantity.ts';
import type { Amounts } from './pod-resources.ts';

/** What is compared with a limit. */
export interface Checked {
  readonly requests: Amounts;
  /** Undefined: it can have none, such as a claim. */
  readonly limits: Amounts | undefined;
}

/** Everything about `checked` that breaks the limit. */
export function limitComplaints(limit: JsonRecord, checked: Checked): readonly string[] {
  const type = textOf(limit['type']);
  const each = (field: string, check: (name: string, bound: string) => string | undefined): readonly string[] =>
    Object.entries(recordOf(limit[field])).flatMap(([name, bound]) => check(name, textOf(bound)) ?? []);
  return [
    ...each('min', (name, bound) =>
      belowMinimum(`minimum ${name} usage per ${type} is ${bound}`, name, bound, checked),
    ),
    ...each('max', (name, bound) =>
      aboveMaximum(`maximum ${name} usage per ${type} is ${bound}`, name, bound, checked),
    ),
    ...each('maxLimitRequestRatio', (name, bound) =>
      overRatio(`${name} max limit to request ratio per ${type} is ${bound}`, name, bound, checked),
    ),
  ];
}

function belowMinimum(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = requests.get(name);
  const limit = limits?.get(name);
  const least = quantityValue(bound);
  if (request === undefined) return `${text}.  No request is specified`;
  if (quantityValue(request) < least) return `${text}, but request is ${request}`;
  return limit !== undefined && quantityValue(limit) < least ? `${text}, but limit is ${limit}` : undefined;
}

function aboveMaximum(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = requests.get(name);
  const limit = limits?.get(name);
  const most = quantityValue(bound);
  if (limits === undefined && request === undefined) return `${text}.  No request is specified`;
  if (limits !== undefined && limit === undefined) return `${text}.  No limit is specified`;
  if (limit !== undefined && quantityValue(limit) > most) return `${text}, but limit is ${limit}`;
  return request !== undefined && quantityValue(request) > most ? `${text}, but request is ${request}` : undefined;
}

function overRatio(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = quantityValue(requests.get(name) ?? '0');
  const limit = quantityValue(limits?.get(name) ?? '0');
  if (request === 0) return `${text}, but no request is specified or request is 0`;
  if (limit === 0) return `${text}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > quantityValue(bound) ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
