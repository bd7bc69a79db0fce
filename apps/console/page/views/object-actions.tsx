/** What can be done to an object, where the page may write. */

import type { ApiObject } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../state/page.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { ScaleDialog } from './scale-dialog.tsx';

export interface ActionProps {
  readonly kind: ServedResource;
  readonly object: ApiObject;
}

type Action = 'delete' | 'edit' | 'scale';

export function ObjectActions({ kind, object }: ActionProps): JSX.Element | null {
  const { session } = usePage();
  const [action, setAction] = useState<Action>();
  if (!session.write) return null;
  const close = (): void => setAction(undefined);
  const can = (verb: string): boolean => kind.verbs.includes(verb);
  return (
    <div class="actions">
      {can('patch') && (
        <button type="button" onClick={() => setAction('edit')}>
          Edit
        </button>
      )}
      {kind.subresources.some(({ name }) => name === 'scale') && (
        <button type="button" onClick={() => setAction('scale')}>
          Scale
        </button>
      )}
      {can('delete') && (
        <button type="button" class="danger" onClick={() => setAction('delete')}>
          Delete
        </button>
      )}
      {action === 'edit' && <EditDialog kind={kind} object={object} onClose={close} />}
      {action === 'scale' && <ScaleDialog kind={kind} object={object} onClose={close} />}
      {action === 'delete' && <DeleteDialog kind={kind} object={object} onClose={close} />}
    </div>
  );
}
