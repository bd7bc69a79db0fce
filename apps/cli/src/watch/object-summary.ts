/** The state of an object in a few words, for kinds that are known and, by convention, for those that are not. */

import type { ApiObject } from '@listwatch/api';
import { printable } from '@listwatch/api/internal';

/** `Running`, `2/3 ready`, `Ready=False`, `Pulled: Successfully pulled image`; empty when nothing can be said. */
export function objectSummary(object: ApiObject): string {
  const spec = valueOf(object, 'spec');
  const status = valueOf(object, 'status');
  const words = [
    object.metadata.deletionTimestamp === undefined ? '' : 'terminating',
    eventWords(object),
    textOf(status, 'phase'),
    replicaWords(spec, status),
    conditionWords(status),
  ];
  return printable(words.filter((word) => word !== '').join(', '));
}

function eventWords(object: ApiObject): string {
  const reason = textOf(object, 'reason');
  const message = textOf(object, 'message') || textOf(object, 'note');
  return reason === '' ? '' : [reason, message].filter((word) => word !== '').join(': ');
}

function replicaWords(spec: unknown, status: unknown): string {
  const wanted = valueOf(spec, 'replicas');
  if (typeof wanted !== 'number') return '';
  const ready = valueOf(status, 'readyReplicas');
  return `${typeof ready === 'number' ? ready : 0}/${wanted} ready`;
}

/** The one condition that says it all, by its usual names; good news only where there is no other word. */
function conditionWords(status: unknown): string {
  if (textOf(status, 'phase') !== '') return '';
  const conditions = valueOf(status, 'conditions');
  if (!Array.isArray(conditions)) return '';
  for (const name of ['Ready', 'Available', 'Complete', 'Established', 'Accepted']) {
    const found: unknown = conditions.find((condition: unknown) => textOf(condition, 'type') === name);
    if (found !== undefined) return `${name}=${textOf(found, 'status')}`;
  }
  return '';
}

function valueOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function textOf(value: unknown, name: string): string {
  const found = valueOf(value, name);
  return typeof found === 'string' ? found : '';
}
