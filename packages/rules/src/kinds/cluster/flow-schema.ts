/** FlowSchema: assigns requests to a priority level. */

import { checkDnsSubdomain, type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import {
  extended,
  isRecord,
  type JsonRecord,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { MANDATORY_FLOW_SCHEMAS } from './flow-control-objects.ts';
import { validateConditionTypes, validateFlowRule } from './flow-control-validation.ts';

type Errors = readonly FieldError[];

/** The rules of FlowSchema. */
export const flowSchema: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('PriorityLevel', 'The level that serves its requests.'),
      column('MatchingPrecedence', 'The schema with the lowest number takes a request.'),
      column('DistinguisherMethod', 'What tells the flows of requests apart.'),
      AGE_COLUMN,
      column('MissingPL', 'Whether its level does not exist.'),
    ],
    cells,
    compare: byPrecedence,
  },
  applyDefaults,
  validate,
};

/** Sorts in the order in which requests are matched. */
function byPrecedence(left: KubeObject, right: KubeObject): number {
  const order = precedenceOf(left) - precedenceOf(right);
  return order === 0 && (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : order || 1;
}

function precedenceOf(object: KubeObject): number {
  return numberOf(recordOf(object['spec'])['matchingPrecedence']);
}

const PRECEDENCE_DEFAULT = 1000;
const PRECEDENCE_MAX = 10_000;

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  if (numberOf(spec['matchingPrecedence']) !== 0) return object;
  return extended(object, { spec: extended(spec, { matchingPrecedence: PRECEDENCE_DEFAULT }) });
}

function validate(object: KubeObject): Errors {
  const { name = '' } = object.metadata;
  const spec = recordOf(object['spec']);
  const fixed = MANDATORY_FLOW_SCHEMAS.get(name);
  return [
    ...validateSpec(spec, name),
    ...(fixed === undefined || sameJson(fixed, spec)
      ? []
      : [fieldInvalid('spec', spec, `spec of '${name}' must equal the fixed value`)]),
    ...validateConditionTypes(object['status']),
  ];
}

const METHODS = ['ByNamespace', 'ByUser'];

function validateSpec(spec: JsonRecord, name: string): Errors {
  const { distinguisherMethod: method, priorityLevelConfiguration } = spec;
  const level = textOf(recordOf(priorityLevelConfiguration)['name']);
  const field = 'spec.priorityLevelConfiguration.name';
  return [
    ...validatePrecedence(numberOf(spec['matchingPrecedence']), name),
    ...(isRecord(method) && !METHODS.includes(textOf(method['type']))
      ? [fieldNotSupported('spec.distinguisherMethod.type', { Type: textOf(method['type']) }, METHODS)]
      : []),
    ...(level === ''
      ? [fieldRequired(field, 'must reference a priority level')]
      : checkDnsSubdomain(level).map((complaint) => fieldInvalid(field, level, complaint))),
    ...itemErrors(recordsOf(spec['rules']), (rule, index) => validateFlowRule(rule, `spec.rules[${index}]`)),
  ];
}

function validatePrecedence(precedence: number, name: string): Errors {
  const wrong = (detail: string): Errors => [fieldInvalid('spec.matchingPrecedence', precedence, detail)];
  if (precedence <= 0) return wrong('must be a positive value');
  if (precedence > PRECEDENCE_MAX) return wrong(`must not be greater than ${PRECEDENCE_MAX}`);
  return precedence === 1 && name !== 'exempt'
    ? wrong("only the schema named 'exempt' may have matchingPrecedence 1")
    : [];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const { priorityLevelConfiguration, matchingPrecedence, distinguisherMethod } = recordOf(object['spec']);
  const dangling = recordsOf(recordOf(object['status'])['conditions']).find(({ type }) => type === 'Dangling');
  return [
    nameCell(object),
    textOf(recordOf(priorityLevelConfiguration)['name']),
    numberOf(matchingPrecedence),
    isRecord(distinguisherMethod) ? textOf(distinguisherMethod['type']) : '<none>',
    ageCell(object, now),
    dangling === undefined ? '?' : textOf(dangling['status']),
  ];
}
