/** RuntimeClass: the container runtime of a pod, and its overhead. */

import {
  checkDnsLabel,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  validateLabels,
} from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf, textRecordOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateAmountOf, validateContainerResource } from '../../validation/resource-names.ts';
import { validateTolerations } from './toleration-rules.ts';

type Errors = readonly FieldError[];

/** The rules of RuntimeClass. */
export const runtimeClass: KindRules = {
  columns: namedTable([column('Handler', 'How the runtime on the nodes calls it.')], ({ handler }) => [
    textOf(handler),
  ]),
  validate,
  validateUpdate: (object, old) => [...validate(object), ...immutable('handler', object['handler'], old['handler'])],
  strategy: { allowsCreateOnUpdate: true, allowsUnconditionalUpdate: false },
};

function validate(object: KubeObject): Errors {
  const handler = textOf(object['handler']);
  const { nodeSelector, tolerations } = recordOf(object['scheduling']);
  const limits = recordOf(recordOf(object['overhead'])['podFixed']);
  return [
    ...(handler === ''
      ? [fieldRequired('handler')]
      : checkDnsLabel(handler).map((complaint) => fieldInvalid('handler', handler, complaint))),
    ...itemErrors(Object.entries(limits), ([name, amount]) => [
      ...validateContainerResource(name, `overhead.limits[${name}]`),
      ...validateAmountOf(name, amount, `overhead.limits[${name}]`),
    ]),
    ...validateLabels(textRecordOf(nodeSelector), 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations, 'scheduling.tolerations'),
    ...differentTolerations(tolerations),
  ];
}

/** The toleration with Go field names, as the message shows it. */
function shown({ key, operator, value, effect, tolerationSeconds = null }: JsonRecord): JsonRecord {
  const texts = { Key: textOf(key), Operator: textOf(operator), Value: textOf(value), Effect: textOf(effect) };
  return { ...texts, TolerationSeconds: tolerationSeconds };
}

function differentTolerations(tolerations: unknown): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(tolerations), (toleration, index) => {
    const { key, operator, value, effect } = toleration;
    const identity = JSON.stringify([key, operator, value, effect].map(textOf));
    if (seen.has(identity)) return [fieldDuplicate(`scheduling.tolerations[${index}]`, shown(toleration))];
    seen.add(identity);
    return [];
  });
}
