/** Which manager owns which fields. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { timeText } from '../logic/age-text.ts';
import { managerFields } from '../logic/field-managers.ts';

export function FieldsTab({ object }: { readonly object: ApiObject }): JSX.Element {
  const managers = managerFields(object.metadata.managedFields);
  if (managers.length === 0) return <p class="empty">The server keeps no field managers of this object.</p>;
  return (
    <div class="scroll" role="region" aria-label="Field managers" tabIndex={0}>
      {managers.map(({ manager, operation, subresource, time, paths }) => (
        <details key={`${manager} ${operation} ${subresource}`} class="manager" open>
          <summary>
            <b>{manager}</b> <span class="chip">{operation}</span>
            {subresource !== '' && <span class="chip">{subresource}</span>}{' '}
            <span class="muted">
              {paths.length === 1 ? '1 field' : `${paths.length} fields`}
              {time === undefined ? '' : ` · ${timeText(Date.parse(time))}`}
            </span>
          </summary>
          <ul class="paths">
            {paths.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
