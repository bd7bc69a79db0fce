/** The conditions of an object, at a glance. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Conditions that are well when they are False. */
const GOOD_WHEN_FALSE =
  /Pressure$|Unavailable$|Failed$|Failure$|^Progressing.*Failed|^Suspended$|^NonStructuralSchema$|^Terminating$/u;

export function ConditionList({ object }: { readonly object: ApiObject }): JSX.Element | null {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return null;
  return (
    <ul class="conditions" aria-label="Conditions">
      {conditions.map(({ type, status, reason, message, lastTransitionTime }) => (
        <li
          key={type}
          class={`chip ${isGood(type, status) ? 'chip-good' : 'chip-bad'}`}
          title={[reason, message, lastTransitionTime].filter((text) => text !== undefined && text !== '').join('\n')}
        >
          {type}: {status}
          {!isGood(type, status) && reason !== undefined && ` (${reason})`}
        </li>
      ))}
    </ul>
  );
}

function isGood(type: string, status: string): boolean {
  return GOOD_WHEN_FALSE.test(type) ? status === 'False' : status === 'True';
}

function conditionsOf(object: ApiObject): readonly Condition[] {
  const status: unknown = 'status' in object ? object.status : undefined;
  const conditions: unknown =
    typeof status === 'object' && status !== null && 'conditions' in status ? status.conditions : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter((one: unknown): one is Condition => {
    const { type, status: state } = (one ?? {}) as Partial<Condition>;
    return typeof type === 'string' && typeof state === 'string';
  });
}
