/** The match conditions of a webhook: expressions in CEL that a request must fulfil for the webhook to be asked. */

import {
  adapter,
  BOOL,
  type CelEnvironment,
  CelError,
  type CelProgram,
  type CelType,
  formatRuntimeType,
  kubernetesEnvironment,
  listType,
  mapType,
  type ObjectTypes,
  objectType,
  STRING,
} from '@listwatch/cel';
import { goErrors } from '../go-errors.ts';
import type { ReviewSpec } from './review-body.ts';
import type { ReviewFilter } from './webhook-authorizer.ts';

/** As kube-apiserver, for one expression. */
const COST_MAX = 1_000_000;

const SPEC = objectType('kubernetes.SubjectAccessReviewSpec');
const RESOURCE = objectType('kubernetes.ResourceAttributes');
const PATH = objectType('kubernetes.NonResourceAttributes');
const FIELD_SELECTOR = objectType('kubernetes.FieldSelectorAttributes');
const LABEL_SELECTOR = objectType('kubernetes.LabelSelectorAttributes');
const REQUIREMENT = objectType('kubernetes.SelectorRequirement');

function texts(...names: readonly string[]): readonly (readonly [string, CelType])[] {
  return names.map((name) => [name, STRING] as const);
}

const SELECTOR_FIELDS = new Map<string, CelType>([
  ['rawSelector', STRING],
  ['requirements', listType(REQUIREMENT)],
]);
const FIELDS: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map([
  [
    SPEC.name,
    new Map<string, CelType>([
      ['resourceAttributes', RESOURCE],
      ['nonResourceAttributes', PATH],
      ...texts('user', 'uid'),
      ['groups', listType(STRING)],
      ['extra', mapType(STRING, listType(STRING))],
    ]),
  ],
  [
    RESOURCE.name,
    new Map<string, CelType>([
      ...texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
      ['fieldSelector', FIELD_SELECTOR],
      ['labelSelector', LABEL_SELECTOR],
    ]),
  ],
  [PATH.name, new Map<string, CelType>(texts('path', 'verb'))],
  [FIELD_SELECTOR.name, SELECTOR_FIELDS],
  [LABEL_SELECTOR.name, SELECTOR_FIELDS],
  [REQUIREMENT.name, new Map<string, CelType>([...texts('key', 'operator'), ['values', listType(STRING)]])],
]);
const OBJECT_TYPES: ObjectTypes = { fields: (name) => FIELDS.get(name) };

const ENVIRONMENT: CelEnvironment = kubernetesEnvironment().extend({
  variables: { request: SPEC },
  objectTypes: OBJECT_TYPES,
});
const adaptSpec = adapter(SPEC, OBJECT_TYPES);

/** One expression, compiled. Throws a `CelCompileError`, or a `TypeError` for one that is neither true nor false. */
export function compileCondition(expression: string): CelProgram {
  const program = ENVIRONMENT.compile(expression);
  const got = formatRuntimeType(program.resultType);
  if (got !== BOOL.name) throw new TypeError(`must evaluate to ${BOOL.name} but got ${got}`);
  return program;
}

/** All of them as one filter: compiled here, once. The first that is false decides; without one any failure does. */
export function matchFilter(expressions: readonly string[]): ReviewFilter {
  const conditions = expressions.map((expression) => ({ expression, program: compileCondition(expression) }));
  return (spec) => {
    const variables = { request: adaptSpec(requestOf(spec)) };
    const failures: string[] = [];
    for (const { expression, program } of conditions) {
      const { result } = program.evaluate(variables, { cost: COST_MAX });
      if (result === false) return false;
      if (result instanceof CelError) {
        failures.push(`cel evaluation error: expression '${expression}' resulted in error: ${result.message}`);
      }
    }
    if (failures.length > 0) throw new Error(goErrors(failures));
    return true;
  };
}

const NO_RESOURCE = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };

/** Every field about the user and every text is there, also an empty one; the rest only when it is given. */
function requestOf(spec: ReviewSpec): object {
  const { resourceAttributes, nonResourceAttributes, user = '', uid = '', groups = [], extra = {} } = spec;
  return {
    user,
    uid,
    groups,
    extra,
    ...(resourceAttributes === undefined ? {} : { resourceAttributes: { ...NO_RESOURCE, ...resourceAttributes } }),
    ...(nonResourceAttributes === undefined
      ? {}
      : { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
}
