/** The navigation: the views, and every kind that the server serves. */

import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Address, isSameResource, objectsAddress, watchAddress } from '../logic/address.ts';
import { usePage } from '../state/page.ts';
import { address, href } from '../state/route.ts';
import { discoveryFailure, servedKinds } from '../state/served-kinds.ts';
import { logOut } from '../state/session.ts';
import { THEMES, theme } from '../state/theme.ts';
import { isHelpOpen } from './help-dialog.tsx';

export function NavBar(): JSX.Element {
  const { session } = usePage();
  const [filter, setFilter] = useState('');
  const [isOpen, setOpen] = useState(false);
  const current = address.value;
  return (
    <header class={isOpen ? 'nav nav-open' : 'nav'}>
      <div class="brand">
        <span class="brand-name">listwatch</span>
        <button
          type="button"
          class="nav-toggle"
          aria-expanded={isOpen}
          aria-controls="nav-links"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <nav id="nav-links" aria-label="Views and kinds" onClick={() => setOpen(false)}>
        <ul>
          <NavLink to={{ view: 'overview' }} text="Overview" isCurrent={current.view === 'overview'} />
          <NavLink to={watchAddress(resourceOf(current))} text="Watch inspector" isCurrent={current.view === 'watch'} />
        </ul>
        <label class="kind-filter" onClick={(event) => event.stopPropagation()}>
          <span class="sr-only">Filter kinds</span>
          <input
            type="search"
            placeholder="Filter kinds"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <KindList filter={filter.toLowerCase()} />
        {discoveryFailure.value !== '' && <p class="nav-failure">Not all kinds are known: {discoveryFailure.value}</p>}
      </nav>
      <div class="nav-foot">
        <p class="server" title={session.serverUrl}>
          {session.context ?? session.serverUrl.replace(/^https?:\/\//u, '')}
          <br />
          {session.serverVersion} · {session.write ? 'read and write' : 'read only'}
        </p>
        <ThemeChoice />
        <button
          type="button"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          Keys <kbd>?</kbd>
        </button>
        <button type="button" onClick={() => void logOut()}>
          Log out
        </button>
      </div>
    </header>
  );
}

function KindList({ filter }: { readonly filter: string }): JSX.Element {
  const current = address.value.view === 'watch' ? undefined : resourceOf(address.value);
  const groups = new Map<string, ServedResource[]>();
  for (const kind of servedKinds.value ?? []) {
    if (!kind.isPreferred && !(current !== undefined && isSameResource(kind, current))) continue;
    const names = [kind.kind, kind.plural, kind.group, ...kind.shortNames].join(' ').toLowerCase();
    if (names.includes(filter)) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  }
  if (servedKinds.value === undefined) return <p class="muted pad">Loading kinds …</p>;
  return (
    <div class="kinds">
      {[...groups].map(([group, kinds]) => (
        <section key={group}>
          <h2>{group === '' ? 'core' : group}</h2>
          <ul>
            {kinds
              .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
              .map((kind) => (
                <NavLink
                  key={`${kind.plural} ${kind.version}`}
                  to={objectsAddress(kind, namespaceOf(address.value, kind))}
                  text={kind.isPreferred ? kind.kind : `${kind.kind} ${kind.version}`}
                  isCurrent={current !== undefined && isSameResource(current, kind)}
                />
              ))}
          </ul>
        </section>
      ))}
      {groups.size === 0 && <p class="muted pad">No kind matches.</p>}
    </div>
  );
}

function NavLink(props: { readonly to: Address; readonly text: string; readonly isCurrent: boolean }): JSX.Element {
  return (
    <li>
      <a href={href(props.to)} aria-current={props.isCurrent ? 'page' : undefined}>
        {props.text}
      </a>
    </li>
  );
}

function ThemeChoice(): JSX.Element {
  return (
    <label class="theme">
      <span class="sr-only">Theme</span>
      <select
        value={theme.value}
        onChange={(event) => {
          theme.value = THEMES.find((known) => known === event.currentTarget.value) ?? 'system';
        }}
      >
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function resourceOf(current: Address): { group: string; version: string; plural: string } | undefined {
  return current.view === 'overview' ? undefined : current.resource;
}

/** The namespace stays when the kind changes. */
function namespaceOf(current: Address, { namespaced }: ServedResource): string {
  return namespaced && current.view === 'objects' ? current.namespace : '';
}
