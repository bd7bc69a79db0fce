/** The conditions of an object: at a glance, and with their reasons when they are unfolded. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { ageText } from '../logic/age-text.ts';
import { now } from '../state/clock.ts';

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
    <details class="conditions">
      <summary>
        <span class="sr-only">Conditions </span>
        {conditions.map(({ type, status, reason }) => (
          <span key={type} class={`chip ${isGood(type, status) ? 'chip-good' : 'chip-bad'}`}>
            {type}: {status}
            {!isGood(type, status) && reason !== undefined && ` (${reason})`}
          </span>
        ))}
      </summary>
      <div class="scroll" role="region" aria-label="Conditions" tabIndex={0}>
        <table class="plain">
          <thead>
            <tr>
              {['Condition', 'Status', 'Since', 'Reason', 'Message'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {conditions.map(({ type, status, reason, message, lastTransitionTime }) => (
              <tr key={type}>
                <th scope="row">{type}</th>
                <td class={isGood(type, status) ? '' : 'word-bad'}>{status}</td>
                <td title={lastTransitionTime}>{sinceText(lastTransitionTime)}</td>
                <td>{reason}</td>
                <td class="wrap">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function sinceText(time: string | undefined): string {
  return time === undefined ? '' : ageText(now.value - Date.parse(time));
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
