/** The Events about an object, live. */

import type { ApiObject } from '@listwatch/api';
import { type Event as CoreEvent, events } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ageText } from '../logic/age-text.ts';
import { now } from '../state/clock.ts';
import { usePage } from '../state/page.ts';

export function EventsTab({ object }: { readonly object: ApiObject }): JSX.Element {
  const shown = useObjectEvents(object);
  if (shown.length === 0) return <p class="empty">There are no Events about this object.</p>;
  return (
    <div class="scroll" role="region" aria-label="Events" tabIndex={0}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Last seen</th>
            <th scope="col">Type</th>
            <th scope="col">Reason</th>
            <th scope="col">Count</th>
            <th scope="col">From</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((event) => (
            <tr key={event.metadata.uid}>
              <td>{ageText(now.value - lastSeen(event))}</td>
              <td class={event.type === 'Warning' ? 'word-bad' : ''}>{event.type}</td>
              <td>{event.reason}</td>
              <td>{event.series?.count ?? event.count ?? 1}</td>
              <td>{event.reportingComponent || event.source?.component}</td>
              <td class="wrap">{event.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useObjectEvents(object: ApiObject): readonly CoreEvent[] {
  const { cluster } = usePage();
  const shown = useSignal<readonly CoreEvent[]>([]);
  const { uid, namespace, name } = object.metadata;
  useEffect(() => {
    const stop = new AbortController();
    shown.value = [];
    const cache = informer(cluster, events, {
      // Events about objects of the cluster are in the namespace default.
      namespace: namespace ?? 'default',
      fieldSelector: uid === undefined ? `involvedObject.name=${name}` : `involvedObject.uid=${uid}`,
      signal: stop.signal,
      onWarning: () => {},
    });
    cache.synced.catch(() => {});
    const follow = async (): Promise<void> => {
      for await (const _ of cache.changes({ signal: stop.signal })) {
        shown.value = cache.store.list().toSorted((a, b) => lastSeen(b) - lastSeen(a));
      }
    };
    follow().catch(() => {});
    return () => stop.abort();
  }, [cluster, uid, namespace, name]);
  return shown.value;
}

function lastSeen({ series, lastTimestamp, eventTime, metadata }: CoreEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
