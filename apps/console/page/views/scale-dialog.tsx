/** Sets the number of replicas. */

import { getScale, setScale } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../logic/error-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../state/page.ts';
import type { ActionProps } from './object-actions.tsx';

export function ScaleDialog({ kind, object, onClose }: ActionProps & { readonly onClose: () => void }): JSX.Element {
  const { cluster } = usePage();
  const { name, namespace } = object.metadata;
  const [replicas, setReplicas] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    getScale(cluster, kind, { name, namespace }).then(
      // What was typed meanwhile stays.
      ({ spec }) => setReplicas((typed) => (typed === '' ? String(spec?.replicas ?? 0) : typed)),
      (error: unknown) => setProblem(errorText(error)),
    );
  }, []);
  const save = async (): Promise<void> => {
    try {
      await setScale(cluster, kind, { name, namespace }, Number(replicas), { fieldManager: 'listwatch-console' });
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={`Scale ${name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="field">
          <span>Replicas</span>
          <input
            type="number"
            min={0}
            required
            value={replicas}
            onInput={(event) => setReplicas(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="banner" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-foot">
          <button type="submit" class="primary" disabled={replicas === ''}>
            Scale
          </button>
        </div>
      </form>
    </Dialog>
  );
}
