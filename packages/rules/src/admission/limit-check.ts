/** Checks one limit of a LimitRange. The messages are those of kube-apiserver. */

import { type JsonRecord, quantityOf, recordOf, textOf } from '@listwatch/api/values';
import type { Amounts } from '../usage/pod-resources.ts';

/** The amounts of a container, pod or claim that are compared with a limit. */
export interface Checked {
  readonly requests: Amounts;
  /** Undefined: the object cannot have limits, such as a claim. */
  readonly limits: Amounts | undefined;
}

/** All violations of the limit. */
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
  const least = quantityOf(bound);
  if (request === undefined) return `${text}.  No request is specified`;
  if (request.compare(least) < 0) return `${text}, but request is ${String(request)}`;
  return limit !== undefined && limit.compare(least) < 0 ? `${text}, but limit is ${String(limit)}` : undefined;
}

function aboveMaximum(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = requests.get(name);
  const limit = limits?.get(name);
  const most = quantityOf(bound);
  if (limits === undefined && request === undefined) return `${text}.  No request is specified`;
  if (limits !== undefined && limit === undefined) return `${text}.  No limit is specified`;
  if (limit !== undefined && limit.compare(most) > 0) return `${text}, but limit is ${String(limit)}`;
  return request !== undefined && request.compare(most) > 0 ? `${text}, but request is ${String(request)}` : undefined;
}

function overRatio(text: string, name: string, bound: string, { requests, limits }: Checked): string | undefined {
  const request = requests.get(name)?.toNumber() ?? 0;
  const limit = limits?.get(name)?.toNumber() ?? 0;
  if (request === 0) return `${text}, but no request is specified or request is 0`;
  if (limit === 0) return `${text}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > quantityOf(bound).toNumber() ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
