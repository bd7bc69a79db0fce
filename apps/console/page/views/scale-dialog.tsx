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
  // Unknown until the scale is read. A number that arrived while somebody types would be joined with what is typed.
  const [replicas, setReplicas] = useState<string>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    getScale(cluster, kind, { name, namespace }).then(
      ({ spec }) => setReplicas(String(spec?.replicas ?? 0)),
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
            disabled={replicas === undefined}
            value={replicas ?? ''}
            onInput={(event) => setReplicas(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="banner" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-foot">
          <button type="submit" class="primary" disabled={replicas === undefined || replicas === ''}>
            Scale
          </button>
        </div>
      </form>
    </Dialog>
  );
}
