/** ComponentStatus: the health of the parts of a cluster. Deprecated; nothing stores it. */

import { recordsOf, textOf } from '@listwatch/api/values';
import { column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';

/** The rules of ComponentStatus. */
export const componentStatus: KindRules = {
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Status', 'Whether the component is healthy.'),
      column('Message', 'What the component says.'),
      column('Error', 'Why the component cannot be asked.'),
    ],
    cells,
  },
};

function cells(object: KubeObject): readonly unknown[] {
  const healthy = recordsOf(object['conditions']).find(({ type }) => type === 'Healthy');
  if (healthy === undefined) return [nameCell(object), 'Unknown', '', ''];
  const word = healthy['status'] === 'True' ? 'Healthy' : 'Unhealthy';
  return [nameCell(object), word, textOf(healthy['message']), textOf(healthy['error'])];
}
