/** Admission webhooks: which of them make writes slow, and which of them fail. */

import type { WebhookFacts } from '@listwatch/api/console';
import type { JSX } from 'preact';
import { objectAddress } from '../logic/address.ts';
import { href } from '../state/route.ts';

interface WebhookTableProps {
  /** The slowest first. */
  readonly webhooks: readonly WebhookFacts[];
}

/** A webhook that takes a second makes every write that it is asked about take one. */
const SLOW_SECONDS = 1;

export function WebhookTable({ webhooks }: WebhookTableProps): JSX.Element {
  return (
    <div class="scroll-x">
      <table class="plain numbers">
        <caption>Admission webhooks, the slowest first</caption>
        <thead>
          <tr>
            {['Webhook', 'Configuration', 'Calls', 'Mean', 'Slowest', 'Refused', 'Failed', 'Now', 'Waiting'].map(
              (name) => (
                <th key={name} scope="col" title={COLUMN_TITLES[name]}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {webhooks.map((hook) => (
            <tr key={`${hook.type}/${hook.configuration}/${hook.name}`}>
              <th scope="row">{hook.name}</th>
              <td>
                <a href={href(configurationAddress(hook))}>{hook.configuration}</a>
                <span class="muted"> {hook.type}</span>
              </td>
              <td>{hook.calls}</td>
              <td>{millisText(hook.totalSeconds / Math.max(1, hook.calls))}</td>
              <td class={hook.slowestSeconds >= SLOW_SECONDS ? 'word-bad' : ''}>{millisText(hook.slowestSeconds)}</td>
              <td>{hook.refused}</td>
              <td class={hook.failed > 0 ? 'word-bad' : ''} title={hook.lastFailure}>
                {hook.failed}
              </td>
              <td>{hook.inFlight}</td>
              <td class={hook.waiting > 0 ? 'word-bad' : ''}>{hook.waiting}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COLUMN_TITLES: Readonly<Record<string, string>> = {
  Refused: 'Requests that the webhook has refused',
  Failed: 'Calls without a valid answer; the last reason is shown over the number',
  Now: 'Calls that are under way',
  Waiting: 'Calls that wait for others of the same webhook',
};

function configurationAddress({ type, configuration }: WebhookFacts): ReturnType<typeof objectAddress> {
  const kind = { group: 'admissionregistration.k8s.io', version: 'v1', plural: `${type}webhookconfigurations` };
  return objectAddress(kind, { namespace: '', name: configuration });
}

function millisText(seconds: number): string {
  return seconds >= SLOW_SECONDS ? `${seconds.toFixed(1)} s` : `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
}
