/** Owners above, owned objects below. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { objectAddress } from '../logic/address.ts';
import { ageText } from '../logic/age-text.ts';
import { now } from '../state/clock.ts';
import { type TreeNode, useOwnerGraph } from '../state/owner-graph.ts';
import { href } from '../state/route.ts';

export function TreeTab({ object, isPast }: { readonly object: ApiObject; readonly isPast: boolean }): JSX.Element {
  const { owners, owned, waiting } = useOwnerGraph(object);
  const { namespace } = object.metadata;
  return (
    <div class="scroll tree" role="region" aria-label="Owners and owned objects" tabIndex={0}>
      {isPast && <p class="muted">Owned objects are shown as they are now.</p>}
      <h2>Owners</h2>
      {owners.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul>
          {owners.map(({ reference, kind }) => (
            <li key={reference.uid}>
              <span class="kind">{reference.kind}</span>{' '}
              {kind === undefined ? (
                reference.name
              ) : (
                <a
                  href={href(
                    objectAddress(
                      kind,
                      { namespace: kind.namespaced ? namespace : '', name: reference.name },
                      { tab: 'tree' },
                    ),
                  )}
                >
                  {reference.name}
                </a>
              )}
              {reference.controller === true && <span class="chip">controller</span>}
            </li>
          ))}
        </ul>
      )}
      <h2>Owned</h2>
      {owned.length > 0 && <Branches nodes={owned} />}
      {owned.length === 0 && waiting === 0 && <p class="muted">None.</p>}
      {waiting > 0 && (
        <p class="muted" role="status">
          Looking through the kinds …
        </p>
      )}
    </div>
  );
}

function Branches({ nodes }: { readonly nodes: readonly TreeNode[] }): JSX.Element {
  return (
    <ul>
      {nodes.map(({ kind, object, children }) => (
        <li key={object.metadata.uid}>
          <span class="kind">{kind.kind}</span>{' '}
          <a href={href(objectAddress(kind, object.metadata))}>{object.metadata.name}</a>{' '}
          <span class="muted">{ageText(now.value - Date.parse(object.metadata.creationTimestamp ?? ''))}</span>
          {object.metadata.deletionTimestamp !== undefined && <span class="word-waiting"> being deleted</span>}
          {children.length > 0 && <Branches nodes={children} />}
        </li>
      ))}
    </ul>
  );
}
