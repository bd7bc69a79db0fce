/** Is the server well, and what does it do? */

import type { ServerOverview } from '@listwatch/api/console';
import type { JSX } from 'preact';
import { objectsAddress } from '../logic/address.ts';
import { ageText, bytesText, numberText } from '../logic/age-text.ts';
import { useOverview } from '../state/overview.ts';
import { usePage } from '../state/page.ts';
import { href } from '../state/route.ts';
import { ClusterOverview } from './cluster-overview.tsx';
import { FlowTables } from './flow-tables.tsx';
import { OverviewPlots } from './overview-plots.tsx';
import { WebhookTable } from './webhook-table.tsx';

export function OverviewView(): JSX.Element {
  const { session } = usePage();
  return session.debug ? <ServerOverviewView /> : <ClusterOverview />;
}

function ServerOverviewView(): JSX.Element {
  const { overview, series, problem } = useOverview();
  return (
    <div class="view overview-view scroll" role="region" aria-label="Overview" tabIndex={0} data-main-focus>
      <div class="view-head">
        <h1>Overview</h1>
        {overview !== undefined && <HealthBadge overview={overview} isAway={problem !== ''} />}
      </div>
      {problem !== '' && (
        <p class="banner" role="alert">
          The server cannot be read; these are its last numbers. Trying again. <span class="reason">{problem}</span>
        </p>
      )}
      {overview === undefined ? (
        <p class="muted">Loading …</p>
      ) : (
        <>
          <HealthReasons overview={overview} />
          <Facts overview={overview} />
          {series !== undefined && <OverviewPlots series={series} />}
          {overview.flow !== undefined && <FlowTables flow={overview.flow} />}
          {(overview.webhooks ?? []).length > 0 && <WebhookTable webhooks={overview.webhooks ?? []} />}
          <KindTable overview={overview} />
        </>
      )}
    </div>
  );
}

interface OverviewProps {
  readonly overview: ServerOverview;
}

function HealthBadge({ overview, isAway }: OverviewProps & { readonly isAway: boolean }): JSX.Element {
  const isWell = overview.health.ready && !isAway;
  return (
    <span class={`status ${isWell ? 'status-live' : 'status-degraded'}`} role="status" data-well={isWell}>
      <span class="dot" aria-hidden="true" />
      {isAway ? 'away' : overview.health.ready ? 'well' : 'not ready'}
    </span>
  );
}

/** Only what needs a look: failed checks, a full disk, watchers that are behind. */
function HealthReasons({ overview }: OverviewProps): JSX.Element | null {
  const { health, storage, kinds } = overview;
  const reasons = health.checks.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message ?? 'failed'}`);
  if (storage.full) reasons.push('storage: the disk is full; writes are refused');
  const slow = kinds.filter(({ slowWatchers }) => slowWatchers > 0);
  if (slow.length > 0)
    reasons.push(`watchers that are behind: ${slow.map((kind) => `${kind.resource} ${kind.slowWatchers}`).join(', ')}`);
  if (reasons.length === 0) return null;
  return (
    <ul class="banner" role="alert">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

function Facts({ overview }: OverviewProps): JSX.Element {
  const { server, storage, process, kinds, health } = overview;
  const sum = (read: (kind: ServerOverview['kinds'][number]) => number): number =>
    kinds.reduce((total, kind) => total + read(kind), 0);
  const kept = [
    storage.historySeconds === null ? '' : ageText(storage.historySeconds * 1000),
    storage.historyMaxBytes === null ? '' : `at most ${bytesText(storage.historyMaxBytes)}`,
  ].filter((text) => text !== '');
  const facts: readonly (readonly [string, string])[] = [
    ['Version', `${server.version} (Kubernetes ${server.gitVersion})`],
    ['Up for', ageText(server.uptimeSeconds * 1000)],
    ['Storage', `${storage.engine}${storage.diskBytes === null ? '' : `, ${bytesText(storage.diskBytes)}`}`],
    ['Revision', storage.resourceVersion],
    [
      'History',
      `${kept.join(', ') || 'without a limit'}${storage.oldestResourceVersion === null ? '' : `, from ${storage.oldestResourceVersion}`}`,
    ],
    ['Objects', `${numberText(sum((kind) => kind.objects))} (${bytesText(sum((kind) => kind.bytes))})`],
    ['Watchers', `${sum((kind) => kind.watchers)} on ${sum((kind) => kind.channels)} channels`],
    ['Requests in work', String(process.inFlight)],
    ['Memory', `${bytesText(process.residentBytes)} (heap ${bytesText(process.heapBytes)})`],
    ['Checks', `${health.checks.filter(({ ok }) => ok).length} of ${health.checks.length} ok`],
  ];
  return (
    <dl class="fact-grid">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function KindTable({ overview }: OverviewProps): JSX.Element {
  const kinds = overview.kinds
    .filter(({ objects, watchers, changesPerSecond }) => objects > 0 || watchers > 0 || changesPerSecond > 0)
    .toSorted((a, b) => b.changesPerSecond - a.changesPerSecond || b.objects - a.objects);
  const newest = overview.storage.resourceVersion;
  return (
    <div class="scroll-x">
      <table class="plain numbers">
        <caption>Kinds with objects or watchers</caption>
        <thead>
          <tr>
            {[
              'Kind',
              'Objects',
              'Bytes',
              'Changes/s',
              'Oldest in memory',
              'Oldest on disk',
              'Watchers',
              'Channels',
              'Slow',
              'Ended slow',
            ].map((name) => (
              <th key={name} scope="col" title={COLUMN_TITLES[name]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={`${kind.group}/${kind.resource}`}>
              <th scope="row">
                <a href={href(objectsAddress({ group: kind.group, version: kind.version, plural: kind.resource }))}>
                  {kind.kind}
                  {kind.group !== '' && <span class="muted"> {kind.group}</span>}
                </a>
              </th>
              <td>{kind.objects}</td>
              <td>{bytesText(kind.bytes)}</td>
              <td>{numberText(kind.changesPerSecond)}</td>
              <td title={versionsBack(newest, kind.oldestInMemory)}>{kind.oldestInMemory}</td>
              <td title={versionsBack(newest, kind.oldestOnDisk)}>{kind.oldestOnDisk ?? '–'}</td>
              <td>{kind.watchers}</td>
              <td>{kind.channels}</td>
              <td class={kind.slowWatchers > 0 ? 'word-bad' : ''}>{kind.slowWatchers}</td>
              <td>{kind.terminatedWatchers}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COLUMN_TITLES: Readonly<Record<string, string>> = {
  'Oldest in memory': 'The oldest version that a watch can begin at without reading the store',
  'Oldest on disk': 'The oldest version that a watch or an exact list can begin at',
  Channels: 'Watchers with the same selection share one channel',
  Slow: 'Watchers that are behind now',
  'Ended slow': 'Watchers that were ended since the start because they fell too far behind',
};

function versionsBack(newest: string, oldest: string | null): string {
  const versions = Number(newest) - Number(oldest ?? Number.NaN);
  return Number.isFinite(versions) ? `${numberText(Math.max(0, versions))} versions back` : 'the store does not tell';
}
