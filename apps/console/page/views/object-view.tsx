/** One object: live, or as it was at a version. */

import type { ApiObject } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isPods, OBJECT_TABS, type ObjectAddress, type ObjectTab, objectsAddress } from '../logic/address.ts';
import { ageText } from '../logic/age-text.ts';
import { hasSecretValues, withoutSecretValues } from '../logic/hidden-secrets.ts';
import type { ObjectVersion } from '../logic/version-list.ts';
import { useKeys } from '../parts/keys.ts';
import { StatusBadge, StatusBanner } from '../parts/status-badge.tsx';
import { TimeBar } from '../parts/time-bar.tsx';
import { YamlView } from '../parts/yaml-view.tsx';
import { now } from '../state/clock.ts';
import { hasServerHistory } from '../state/history-line.ts';
import { useLiveObject } from '../state/live-object.ts';
import { useObjectVersions } from '../state/object-versions.ts';
import { usePage } from '../state/page.ts';
import { usePastObject } from '../state/past-object.ts';
import { go, href, replace } from '../state/route.ts';
import { findKind, servedKinds } from '../state/served-kinds.ts';
import { AuditTab } from './audit-tab.tsx';
import { ConditionList } from './condition-list.tsx';
import { EventsTab } from './events-tab.tsx';
import { FieldsTab } from './fields-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { ObjectActions } from './object-actions.tsx';
import { TreeTab } from './tree-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

export function ObjectView({ address }: { readonly address: ObjectAddress }): JSX.Element {
  const kind = findKind(address.resource);
  if (kind !== undefined)
    return <KindObject key={`${kind.group}/${kind.plural}/${address.name}`} kind={kind} address={address} />;
  return (
    <div class="view">
      <h1>{address.name}</h1>
      <p>{servedKinds.value === undefined ? 'Loading …' : 'The server does not serve this kind.'}</p>
    </div>
  );
}

const TAB_NAMES: Readonly<Record<ObjectTab, string>> = {
  yaml: 'YAML',
  logs: 'Logs',
  tree: 'Owners and owned',
  events: 'Events',
  fields: 'Field managers',
  versions: 'Versions',
  audit: 'Who did this',
};

interface KindProps {
  readonly kind: ServedResource;
  readonly address: ObjectAddress;
}

function KindObject({ kind, address }: KindProps): JSX.Element {
  const { namespace, name, at } = address;
  const { session } = usePage();
  const tabs = OBJECT_TABS.filter((each) => (each === 'logs' ? isPods(kind) : each !== 'audit' || session.debug));
  const tab = tabs.find((each) => each === address.tab) ?? 'yaml';
  const live = useLiveObject(kind, address);
  const past = usePastObject(kind, address);
  const isPast = at !== '';
  // Without the server's history the page must see each version itself.
  const versions = useObjectVersions(kind, address, tab === 'versions' || isPast || !hasServerHistory.value);
  const known = versions.versions.findLast(({ resourceVersion }) => Number(resourceVersion) <= Number(at));
  // On a server that keeps nothing, what this page has seen is shown.
  const remembered = past.problem !== undefined && known?.type !== 'deleted' ? known?.object : undefined;
  const object = isPast ? (past.object ?? remembered) : (live.object ?? live.deleted);
  // Of the logs there is no history: they are those of now.
  const pod = live.object ?? live.deleted;
  const stops = stopsOf(versions.versions, live.object);
  const setTab = (next: ObjectTab): void => go({ ...address, tab: next });
  useKeys({
    y: () => setTab('yaml'),
    d: () => setTab('versions'),
    ...(isPods(kind) && { l: () => setTab('logs') }),
    Escape: () => go({ ...objectsAddress(kind, namespace), at }),
  });
  return (
    <div class="view object-view">
      <nav class="crumbs" aria-label="Where this is">
        <a href={href({ ...objectsAddress(kind), at })}>{kind.kind}</a>
        {namespace !== '' && (
          <>
            {' / '}
            <a href={href({ ...objectsAddress(kind, namespace), at })}>{namespace}</a>
          </>
        )}
      </nav>
      <div class="view-head">
        <h1>{name}</h1>
        {isPast ? (
          <span class="status status-past">{object === undefined ? 'not there' : 'as it was'}</span>
        ) : (
          <StatusBadge status={live.status} />
        )}
        {!isPast && live.deleted !== undefined && <span class="status status-degraded">deleted</span>}
        {!isPast && live.object !== undefined && <ObjectActions kind={kind} object={live.object} />}
      </div>
      <TimeBar at={at} stops={stops} onChange={(next) => replace({ ...address, at: next })} />
      {!isPast && <StatusBanner status={live.status} />}
      {isPast && past.problem !== undefined && remembered === undefined && (
        <p class="banner" role="alert">
          {past.problem}
        </p>
      )}
      {object !== undefined && <ObjectFacts object={object} />}
      {object !== undefined && <ConditionList object={object} />}
      <div class="tabs" role="tablist" aria-label="Parts of the object">
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab}
            aria-controls="tab-panel"
            onClick={() => setTab(each)}
          >
            {TAB_NAMES[each]}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'audit' ? (
          <AuditTab kind={kind} address={address} />
        ) : tab === 'versions' ? (
          <VersionsTab address={address} versions={versions} />
        ) : tab === 'logs' && pod !== undefined ? (
          <LogsTab address={address} pod={pod} isGone={live.object === undefined} />
        ) : object === undefined || tab === 'logs' ? (
          <p class="empty">
            {absentText(isPast && tab !== 'logs', live.status.phase === 'syncing' || (isPast && past.isLoading))}
          </p>
        ) : (
          <TabContent tab={tab} kind={kind} object={object} isPast={isPast} />
        )}
      </div>
    </div>
  );
}

interface ContentProps {
  readonly tab: Exclude<ObjectTab, 'audit' | 'logs' | 'versions'>;
  readonly kind: ServedResource;
  readonly object: ApiObject;
  readonly isPast: boolean;
}

function TabContent({ tab, object, isPast }: ContentProps): JSX.Element {
  switch (tab) {
    case 'yaml':
      return <YamlTab object={object} />;
    case 'tree':
      return <TreeTab object={object} isPast={isPast} />;
    case 'events':
      return <EventsTab object={object} />;
    case 'fields':
      return <FieldsTab object={object} />;
  }
}

function YamlTab({ object }: { readonly object: ApiObject }): JSX.Element {
  const [isShown, setShown] = useState(false);
  const { uid } = object.metadata;
  useEffect(() => setShown(false), [uid]);
  const isSecret = hasSecretValues(object);
  const value = withoutManagedFields(isSecret && !isShown ? withoutSecretValues(object) : object);
  return (
    <>
      {isSecret && (
        <p class="secret-note">
          The values of this Secret are {isShown ? 'shown' : 'hidden'}.{' '}
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide values' : 'Show values'}
          </button>
        </p>
      )}
      <YamlView value={value} label={`YAML of ${object.metadata.name}`} />
    </>
  );
}

/** All of them are in the YAML. */
const MAX_LABELS = 30;

function ObjectFacts({ object }: { readonly object: ApiObject }): JSX.Element {
  const { creationTimestamp, deletionTimestamp, resourceVersion, generation, labels = {} } = object.metadata;
  const all = Object.entries(labels);
  const shown = all.slice(0, MAX_LABELS);
  const age = creationTimestamp === undefined ? undefined : ageText(now.value - Date.parse(creationTimestamp));
  return (
    <div class="facts">
      {age !== undefined && <span title={creationTimestamp}>created {age} ago</span>}
      <span>version {resourceVersion}</span>
      {generation !== undefined && <span>generation {generation}</span>}
      {deletionTimestamp !== undefined && <span class="word-bad">being deleted since {deletionTimestamp}</span>}
      {shown.map(([key, value]) => (
        <span key={key} class="chip">
          {key}={value}
        </span>
      ))}
      {all.length > shown.length && <span>and {all.length - shown.length} more labels</span>}
    </div>
  );
}

/** The versions at which the slider stops. */
function stopsOf(versions: readonly ObjectVersion[], live: ApiObject | undefined): readonly number[] {
  if (versions.length > 0) return versions.map(({ resourceVersion }) => Number(resourceVersion));
  return live?.metadata.resourceVersion === undefined ? [] : [Number(live.metadata.resourceVersion)];
}

function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function absentText(isPast: boolean, isLoading: boolean): string {
  if (isLoading) return 'Loading …';
  return isPast ? 'The object did not exist at this version.' : 'There is no such object.';
}
