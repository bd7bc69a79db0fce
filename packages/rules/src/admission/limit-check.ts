/** The checks of one limit of a LimitRange, in the words of Kubernetes. */

import { type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { exactQuantity, quantityText } from '../usage/exact-quantity.ts';
import type { Amounts } from '../usage/pod-resources.ts';
import { quantityValue } from '../validation/quantity.ts';

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
  const least = exactQuantity(bound).nanos;
  if (request === undefined) return `${text}.  No request is specified`;
  if (request.nanos < least) return `${text}, but request is ${quantityText(request)}`;
  return limit !== undefined && limit.nanos < least ? `${text}, but limit is ${quantityText(limit)}` : undefined;
}

function aboveMaximum(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = requests.get(name);
  const limit = limits?.get(name);
  const most = exactQuantity(bound).nanos;
  if (limits === undefined && request === undefined) return `${text}.  No request is specified`;
  if (limits !== undefined && limit === undefined) return `${text}.  No limit is specified`;
  if (limit !== undefined && limit.nanos > most) return `${text}, but limit is ${quantityText(limit)}`;
  return request !== undefined && request.nanos > most ? `${text}, but request is ${quantityText(request)}` : undefined;
}

function overRatio(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = Number(requests.get(name)?.nanos ?? 0n);
  const limit = Number(limits?.get(name)?.nanos ?? 0n);
  if (request === 0) return `${text}, but no request is specified or request is 0`;
  if (limit === 0) return `${text}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > quantityValue(bound) ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
