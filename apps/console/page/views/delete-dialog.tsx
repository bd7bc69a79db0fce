/** Deletes an object, after naming what goes with it. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorText } from '../logic/error-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useNamespaceContent } from '../state/namespace-content.ts';
import { flatten, useOwnerGraph } from '../state/owner-graph.ts';
import { usePage } from '../state/page.ts';
import type { ActionProps } from './object-actions.tsx';

/** So many are named; the others are counted. */
const MAX_NAMED = 50;

export function DeleteDialog({ kind, object, onClose }: ActionProps & { readonly onClose: () => void }): JSX.Element {
  const { cluster } = usePage();
  const { name, namespace, uid, finalizers = [] } = object.metadata;
  const { owned, waiting } = useOwnerGraph(object);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const all = flatten(owned);
  const isNamespace = kind.kind === 'Namespace' && kind.group === '';
  const remove = async (): Promise<void> => {
    try {
      const preconditions = uid === undefined ? undefined : { uid };
      await cluster.delete(kind, { name, namespace }, { preconditions, propagationPolicy: 'Background' });
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={`Delete ${kind.kind} ${name}`} onClose={onClose}>
      {isNamespace && <NamespaceNote name={name} />}
      {all.length > 0 && (
        <>
          <p>With it go {all.length} objects:</p>
          <ul class="goes-with">
            {all.slice(0, MAX_NAMED).map((node) => (
              <li key={node.object.metadata.uid}>
                <span class="kind">{node.kind.kind}</span> {node.object.metadata.name}
              </li>
            ))}
            {all.length > MAX_NAMED && <li>and {all.length - MAX_NAMED} more</li>}
          </ul>
        </>
      )}
      {all.length === 0 && waiting === 0 && !isNamespace && <p>Nothing else goes with it.</p>}
      {waiting > 0 && !isNamespace && <p role="status">Looking for what goes with it …</p>}
      {finalizers.length > 0 && <p class="muted">It stays until its finalizers are done: {finalizers.join(', ')}.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <label class="field">
          <span>Type the name to confirm</span>
          <input
            type="text"
            autocomplete="off"
            autofocus
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && (
          <p class="banner" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-foot">
          <button type="submit" class="danger" disabled={typed !== name}>
            Delete
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What a namespace takes with it, by kind. */
function NamespaceNote({ name }: { readonly name: string }): JSX.Element {
  const { counts, isComplete } = useNamespaceContent(name);
  return (
    <>
      <p class="word-bad">Everything in this namespace is deleted with it.</p>
      <ul class="goes-with">
        {counts
          .toSorted((a, b) => b.count - a.count)
          .map(({ kind, count }) => (
            <li key={`${kind.group}/${kind.plural}`}>
              {count} <span class="kind">{kind.kind}</span>
            </li>
          ))}
      </ul>
      {isComplete && counts.length === 0 && <p>It is empty.</p>}
      {!isComplete && <p role="status">Looking for what is in it …</p>}
    </>
  );
}
