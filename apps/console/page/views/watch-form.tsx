/** The options of the inspected watch. */

import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import type { WatchAddress } from '../logic/address.ts';
import { replace } from '../state/route.ts';

interface FormProps {
  readonly address: WatchAddress;
  readonly kinds: readonly ServedResource[];
  /** Undefined until there is a kind. */
  readonly onOpen: (() => void) | undefined;
}

export function NewWatchForm({ address, kinds, onOpen }: FormProps): JSX.Element {
  const { resource, namespace, labels, fields, resourceVersion, form, bookmarks, initialEvents } = address;
  const chosen = resource === undefined ? '' : `${resource.group}/${resource.version}/${resource.plural}`;
  const choose = (value: string): void => {
    const [group = '', version = '', plural = ''] = value.split('/');
    replace({ ...address, resource: plural === '' ? undefined : { group, version, plural } });
  };
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        onOpen?.();
      }}
    >
      <label class="field">
        <span>Kind</span>
        <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Choose …</option>
          {kinds.map((kind) => {
            const value = `${kind.group}/${kind.version}/${kind.plural}`;
            return (
              <option key={value} value={value}>
                {kind.plural}
                {kind.group === '' ? '' : `.${kind.group}`}
                {kind.isPreferred ? '' : ` ${kind.version}`}
              </option>
            );
          })}
        </select>
      </label>
      <TextField
        label="Namespace"
        value={namespace}
        placeholder="all"
        onChange={(next) => replace({ ...address, namespace: next })}
      />
      <TextField label="Labels" value={labels} onChange={(next) => replace({ ...address, labels: next })} />
      <TextField label="Fields" value={fields} onChange={(next) => replace({ ...address, fields: next })} />
      <TextField
        label="From version"
        value={resourceVersion}
        placeholder="list first"
        onChange={(next) => replace({ ...address, resourceVersion: next })}
      />
      <label class="field">
        <span>Form</span>
        <select value={form} onChange={(event) => replace({ ...address, form: formOf(event.currentTarget.value) })}>
          <option value="object">Objects</option>
          <option value="table">Table</option>
          <option value="metadata">Metadata</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={bookmarks} onChange={() => replace({ ...address, bookmarks: !bookmarks })} />{' '}
        Bookmarks
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={initialEvents}
          onChange={() => replace({ ...address, initialEvents: !initialEvents })}
        />{' '}
        Watch-list
      </label>
      <button type="submit" class="primary" disabled={onOpen === undefined}>
        Open
      </button>
    </form>
  );
}

function formOf(value: string): WatchAddress['form'] {
  return value === 'table' || value === 'metadata' ? value : 'object';
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

function TextField({ label, value, placeholder, onChange }: TextProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={value}
        placeholder={placeholder}
        onInput={(event) => onChange(event.currentTarget.value.trim())}
      />
    </label>
  );
}
