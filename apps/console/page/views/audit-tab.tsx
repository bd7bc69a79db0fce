/** The last requests for an object, as the audit log of the server has them. */

import type { AuditTrail } from '@listwatch/api/console';
import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { ageText } from '../logic/age-text.ts';
import { errorText } from '../logic/error-text.ts';
import { now } from '../state/clock.ts';
import { linesOf } from '../state/json-lines.ts';
import { usePage } from '../state/page.ts';

interface TabProps {
  readonly kind: ServedResource;
  readonly address: ObjectAddress;
}

export function AuditTab({ kind, address }: TabProps): JSX.Element {
  const { trail, problem } = useAuditTrail(kind, address);
  if (problem !== '') return <p class="empty">{problem}</p>;
  if (trail === undefined) return <p class="empty">Loading …</p>;
  if (trail.entries.length === 0) return <p class="empty">The audit log has no request for this object.</p>;
  return (
    <div class="scroll" role="region" aria-label="Who did this" tabIndex={0}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">User</th>
            <th scope="col">Did</th>
            <th scope="col">Answer</th>
            <th scope="col">With</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {trail.entries.map((entry) => (
            <tr key={entry.auditId}>
              <td title={entry.at}>{ageText(now.value - Date.parse(entry.at))}</td>
              <td>{entry.impersonated === undefined ? entry.user : `${entry.user} as ${entry.impersonated}`}</td>
              <td>{entry.subresource === '' ? entry.verb : `${entry.verb} ${entry.subresource}`}</td>
              <td class={entry.code >= 400 ? 'word-bad' : ''}>{entry.code === 0 ? '' : entry.code}</td>
              <td class="wrap">{entry.userAgent}</td>
              <td>{entry.sourceIPs.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!trail.isComplete && <p>Older requests are in the log of the server.</p>}
    </div>
  );
}

interface TrailState {
  readonly trail?: AuditTrail;
  readonly problem: string;
}

/** Asks once each time the tab is opened: the log grows with every question. */
function useAuditTrail(kind: ServedResource, { namespace, name }: ObjectAddress): TrailState {
  const { cluster } = usePage();
  const [state, setState] = useState<TrailState>({ problem: '' });
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const query = new URLSearchParams({ group: kind.group, resource: kind.plural, namespace, name });
      const { status, body } = await cluster.transport.send({
        method: 'GET',
        path: `/debug/audit?${query}`,
        headers: { accept: 'application/json' },
        signal: stop.signal,
      });
      let text = '';
      for await (const line of linesOf(body)) text += line;
      setState(status === 200 ? { trail: JSON.parse(text), problem: '' } : { problem: refusalText(status) });
    };
    setState({ problem: '' });
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ problem: errorText(error) });
    });
    return () => stop.abort();
  }, [cluster, kind.group, kind.plural, namespace, name]);
  return state;
}

function refusalText(status: number): string {
  if (status === 404) return 'This server keeps no audit log that it can show. See --audit-log-path.';
  if (status === 403) return 'You may not read the audit log: that takes the right to get /debug/audit.';
  return `The server answered ${status}.`;
}
