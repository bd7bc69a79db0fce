/** The frame of the page: login, navigation, and the view of the address. */

import type { ConsoleSession } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useEscapeFromFields, useKeys } from '../parts/keys.ts';
import { followHistory } from '../state/history-line.ts';
import { Page } from '../state/page.ts';
import { connectPage } from '../state/page-cluster.ts';
import { address } from '../state/route.ts';
import { followKinds } from '../state/served-kinds.ts';
import { loadSession, sessionState } from '../state/session.ts';
import { HelpDialog, isHelpOpen } from './help-dialog.tsx';
import { NavBar } from './nav-bar.tsx';
import { ObjectView } from './object-view.tsx';
import { ObjectsView } from './objects-view.tsx';
import { OverviewView } from './overview-view.tsx';
import { WatchView } from './watch-view.tsx';

export function App(): JSX.Element {
  useEffect(() => void loadSession(), []);
  const state = sessionState.value;
  switch (state.type) {
    case 'loading':
      return <Notice title="listwatch" text="Loading …" />;
    case 'failed':
      return <Notice title="No answer" text={`The console cannot start: ${state.reason}.`} retry />;
    case 'ended':
      return (
        <Notice
          title="Not logged in"
          text="This page is opened by a link with a one-time code. Start the command again, or ask it for a new link, and open that."
        />
      );
    case 'open':
      return <LoggedIn session={state.session} />;
  }
}

function LoggedIn({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [cluster, setCluster] = useState<Cluster>();
  useEffect(() => {
    const stop = new AbortController();
    const start = async (): Promise<void> => {
      const connected = await connectPage(session);
      if (stop.signal.aborted) return;
      setCluster(connected);
      await Promise.all([followKinds(connected, stop.signal), followHistory(connected, session, stop.signal)]);
    };
    void start();
    return () => stop.abort();
  }, [session.watchOver, session.mode, session.debug]);
  useEscapeFromFields();
  useKeys({
    '?': () => {
      isHelpOpen.value = true;
    },
    '/': () => focusSearch(),
  });
  if (cluster === undefined) return <Notice title="listwatch" text="Connecting …" />;
  return (
    <Page.Provider value={{ session, cluster }}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <NavBar />
      <main id="main" tabIndex={-1}>
        <CurrentView />
      </main>
      <HelpDialog />
    </Page.Provider>
  );
}

function CurrentView(): JSX.Element {
  const current = address.value;
  switch (current.view) {
    case 'overview':
      return <OverviewView />;
    case 'objects':
      return <ObjectsView address={current} />;
    case 'object':
      return <ObjectView address={current} />;
    case 'watch':
      return <WatchView address={current} />;
  }
}

function Notice(props: { readonly title: string; readonly text: string; readonly retry?: boolean }): JSX.Element {
  return (
    <main class="notice">
      <h1>{props.title}</h1>
      <p>{props.text}</p>
      {props.retry === true && (
        <button type="button" onClick={() => void loadSession()}>
          Try again
        </button>
      )}
    </main>
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-search]')?.focus();
}
