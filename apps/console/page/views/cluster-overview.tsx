/** The overview of a cluster that is not ours: what it says of itself. */

import type { Cluster } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { objectsAddress } from '../logic/address.ts';
import { usePage } from '../state/page.ts';
import { href } from '../state/route.ts';
import { servedKinds } from '../state/served-kinds.ts';

export function ClusterOverview(): JSX.Element {
  const { session, cluster } = usePage();
  const checks = useReadiness(cluster);
  const kinds = (servedKinds.value ?? []).filter(({ isPreferred }) => isPreferred);
  const usual = kinds.filter(({ kind }) =>
    ['Namespace', 'Node', 'Pod', 'Deployment', 'Service', 'Event'].includes(kind),
  );
  return (
    <div class="view overview-view scroll" role="region" aria-label="Overview" tabIndex={0} data-main-focus>
      <div class="view-head">
        <h1>Overview</h1>
        {checks !== undefined && (
          <span
            class={`status ${checks.ready ? 'status-live' : 'status-degraded'}`}
            role="status"
            data-well={checks.ready}
          >
            <span class="dot" aria-hidden="true" />
            {checks.ready ? 'well' : 'not ready'}
          </span>
        )}
      </div>
      <dl class="fact-grid">
        {[
          ['Server', session.serverUrl],
          ['Version', session.serverVersion],
          ['Context', session.context ?? '–'],
          ['User', session.user],
          ['Kinds', String(kinds.length)],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="links">
        {usual.map((kind) => (
          <li key={kind.plural}>
            <a href={href(objectsAddress(kind))}>{kind.kind}</a>
          </li>
        ))}
      </ul>
      {checks !== undefined && <pre class="readyz">{checks.text}</pre>}
    </div>
  );
}

/** Once: a cluster offers no watch of it. */
function useReadiness(cluster: Cluster): { readonly ready: boolean; readonly text: string } | undefined {
  const [checks, setChecks] = useState<{ readonly ready: boolean; readonly text: string }>();
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const request = { method: 'GET', path: '/readyz?verbose', headers: {}, signal: stop.signal } as const;
      const { status, body } = await cluster.transport.send(request);
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
      setChecks({ ready: status === 200, text });
    };
    ask().catch(() => {});
    return () => stop.abort();
  }, []);
  return checks;
}
