/** Edits an object as YAML: the page checks it first, then the server, which shows what would change. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { changedBy } from '../logic/field-managers.ts';
import { hasSecretValues } from '../logic/hidden-secrets.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { type EditOutcome, editText, sendEdit } from '../state/edit.ts';
import { usePage } from '../state/page.ts';
import type { ActionProps } from './object-actions.tsx';

interface DialogProps extends ActionProps {
  readonly onClose: () => void;
}

export function EditDialog({ kind, object, onClose }: DialogProps): JSX.Element {
  const { cluster } = usePage();
  const [base, setBase] = useState(object);
  const [text, setText] = useState(() => editText(object));
  const [outcome, setOutcome] = useState<EditOutcome>();
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(!hasSecretValues(object));
  const send = async (dryRun: boolean, isForced = false): Promise<void> => {
    setBusy(true);
    const next = await sendEdit(cluster, kind, base, text, { dryRun, isForced });
    setBusy(false);
    setOutcome(next);
    if (next.type === 'saved') onClose();
  };
  const edit = (next: string): void => {
    setText(next);
    setOutcome(undefined);
  };
  const rebase = (conflict: Extract<EditOutcome, { type: 'conflict' }>): void => {
    setBase(conflict.current);
    edit(conflict.text);
  };
  const isChecked = outcome?.type === 'checked';
  if (!isShown) {
    return (
      <Dialog title={`Edit ${object.metadata.name}`} onClose={onClose}>
        <p>To edit this Secret its values have to be shown.</p>
        <button type="button" onClick={() => setShown(true)}>
          Show values and edit
        </button>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Edit ${object.metadata.name}`} onClose={onClose}>
      <textarea
        class="editor"
        aria-label="YAML"
        spellcheck={false}
        autofocus
        value={text}
        rows={20}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      {outcome?.type === 'failed' && (
        <p class="banner" role="alert">
          {outcome.reason}
        </p>
      )}
      {outcome?.type === 'invalid' && (
        <div class="banner" role="alert">
          <p>Kubernetes does not take this:</p>
          <ul>
            {outcome.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <button type="button" disabled={isBusy} onClick={() => void send(true, true)}>
            Ask the server
          </button>
        </div>
      )}
      {outcome?.type === 'unchanged' && <p role="status">Nothing is changed.</p>}
      {outcome?.type === 'conflict' && <Conflict base={base} outcome={outcome} onRebase={rebase} />}
      {isChecked && (
        <>
          <p role="status">The server accepts this. It would change:</p>
          <DiffView
            before={withoutServerParts(base)}
            after={withoutServerParts(outcome.result)}
            label="What would change"
          />
        </>
      )}
      <div class="dialog-foot">
        <button type="button" disabled={isBusy} onClick={() => void send(true)}>
          Check
        </button>
        <button type="button" class="primary" disabled={isBusy || !isChecked} onClick={() => void send(false)}>
          Save
        </button>
      </div>
    </Dialog>
  );
}

interface ConflictProps {
  readonly base: ApiObject;
  readonly outcome: Extract<EditOutcome, { type: 'conflict' }>;
  readonly onRebase: (outcome: Extract<EditOutcome, { type: 'conflict' }>) => void;
}

function Conflict({ base, outcome, onRebase }: ConflictProps): JSX.Element {
  const managers = changedBy(base.metadata.managedFields, outcome.current.metadata.managedFields);
  return (
    <div class="banner" role="alert">
      <p>The object has changed meanwhile{managers.length > 0 && `, by ${managers.join(', ')}`}. Their change:</p>
      <DiffView
        before={withoutServerParts(base)}
        after={withoutServerParts(outcome.current)}
        label="What has changed meanwhile"
      />
      <button type="button" onClick={() => onRebase(outcome)}>
        Put my change on top of it
      </button>
    </div>
  );
}

function withoutServerParts(object: ApiObject): unknown {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}
