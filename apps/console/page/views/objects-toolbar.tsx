/** What of a kind is shown: namespace, selectors, search, columns. */

import type { ServedResource } from '@listwatch/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ObjectsAddress, watchAddress } from '../logic/address.ts';
import type { TableColumn } from '../logic/table-rows.ts';
import { namespaceNames, useNamespaces } from '../state/namespaces.ts';
import { go, href, replace } from '../state/route.ts';
import { isColumnShown } from './table-columns.ts';

interface ToolbarProps {
  readonly kind: ServedResource;
  readonly address: ObjectsAddress;
  readonly columns: readonly TableColumn[];
}

export function ObjectsToolbar({ kind, address, columns }: ToolbarProps): JSX.Element {
  const { namespace, labels, fields, search } = address;
  const watched = { ...watchAddress(kind), namespace, labels, fields };
  return (
    <div class="toolbar" role="search">
      {kind.namespaced && <NamespaceChoice address={address} />}
      <label class="field field-search">
        <span class="sr-only">Search</span>
        <input
          type="search"
          data-search
          placeholder="Search  /"
          value={search}
          onInput={(event) => replace({ ...address, search: event.currentTarget.value })}
        />
      </label>
      <SelectorField
        label="Labels"
        placeholder="app=web,tier!=db"
        value={labels}
        onCommit={(next) => go({ ...address, labels: next })}
      />
      <SelectorField
        label="Fields"
        placeholder="metadata.name=x"
        value={fields}
        onCommit={(next) => go({ ...address, fields: next })}
      />
      <ColumnsMenu address={address} columns={columns} />
      <a class="button" href={href(watched)} title="Open this watch in the inspector">
        Inspect
      </a>
    </div>
  );
}

function NamespaceChoice({ address }: Pick<ToolbarProps, 'address'>): JSX.Element {
  useNamespaces();
  const names = new Set(namespaceNames.value);
  if (address.namespace !== '') names.add(address.namespace);
  return (
    <label class="field">
      <span>Namespace</span>
      <select value={address.namespace} onChange={(event) => go({ ...address, namespace: event.currentTarget.value })}>
        <option value="">All</option>
        {[...names].toSorted().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SelectorProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onCommit: (value: string) => void;
}

/** Asked of the server when it is complete: on Enter, or when the field is left. */
function SelectorField({ label, placeholder, value, onCommit }: SelectorProps): JSX.Element {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <label>
        <span>{label}</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          placeholder={placeholder}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
        />
      </label>
    </form>
  );
}

function ColumnsMenu({ address, columns }: Omit<ToolbarProps, 'kind'>): JSX.Element {
  const toggle = (column: TableColumn): void => {
    const { columns: chosen } = address;
    const mark = (column.priority ?? 0) > 0 ? `+${column.name}` : column.name;
    const next = chosen.includes(mark) ? chosen.filter((name) => name !== mark) : [...chosen, mark];
    replace({ ...address, columns: next });
  };
  return (
    <details class="menu">
      <summary class="button">Columns</summary>
      <div class="menu-body">
        {columns.map((column, index) => (
          <label key={`${index} ${column.name}`}>
            <input type="checkbox" checked={isColumnShown(column, address.columns)} onChange={() => toggle(column)} />{' '}
            {column.name}
          </label>
        ))}
      </div>
    </details>
  );
}
