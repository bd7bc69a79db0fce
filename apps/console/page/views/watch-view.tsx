/** The watch inspector: what a watch really sends, and what our watcher makes of it. */

import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WatchAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import { saveFile } from '../parts/save-file.ts';
import { type Inspection, inspect } from '../state/inspection.ts';
import { usePage } from '../state/page.ts';
import { findKind, servedKinds } from '../state/served-kinds.ts';
import { FrameList } from './frame-list.tsx';
import { MachinePanel } from './machine-panel.tsx';
import { NewWatchForm } from './watch-form.tsx';

export function WatchView({ address }: { readonly address: WatchAddress }): JSX.Element {
  const kind = address.resource && findKind(address.resource);
  const { session, cluster } = usePage();
  const [inspection, setInspection] = useState<Inspection>();
  const [problem, setProblem] = useState('');
  const stop = (): void => {
    inspection?.close();
    setInspection(undefined);
  };
  useEffect(() => () => inspection?.close(), [inspection]);
  const start = (opened: ServedResource): void => {
    stop();
    try {
      setProblem('');
      setInspection(inspect(cluster, opened, address));
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const save = (): void => {
    if (inspection === undefined) return;
    const text = JSON.stringify(inspection.recording(session.serverUrl), undefined, 1);
    saveFile(`watch-${address.resource?.plural ?? 'recording'}.json`, 'application/json', text);
  };
  return (
    <div class="view watch-view">
      <div class="view-head">
        <h1>Watch inspector</h1>
        {inspection !== undefined && (
          <div class="actions">
            <button type="button" title="Break the connection, as a network does" onClick={() => inspection.cut()}>
              Cut
            </button>
            <button type="button" onClick={save}>
              Export
            </button>
            <button type="button" onClick={stop}>
              Stop
            </button>
          </div>
        )}
      </div>
      <NewWatchForm address={address} kinds={servedKinds.value ?? []} onOpen={kind && (() => start(kind))} />
      {problem !== '' && (
        <p class="banner" role="alert">
          {problem}
        </p>
      )}
      {inspection === undefined ? (
        <p class="empty">Choose a kind and open a watch to see its frames as they arrive.</p>
      ) : (
        <div class="inspector">
          <FrameList frames={inspection.frames.value} />
          <MachinePanel inspection={inspection} />
        </div>
      )}
    </div>
  );
}
