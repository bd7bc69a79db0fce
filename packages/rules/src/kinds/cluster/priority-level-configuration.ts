/** PriorityLevelConfiguration: the in-flight limit of a level, and the queues for requests above it. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import {
  extended,
  isJsonNumber,
  isRecord,
  type JsonRecord,
  numberOf,
  recordOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { rangeText } from '../../validation/value-rules.ts';
import { MANDATORY_PRIORITY_LEVELS } from './flow-control-objects.ts';
import { validateConditionTypes } from './flow-control-validation.ts';

type Errors = readonly FieldError[];

/** The rules of PriorityLevelConfiguration. */
export const priorityLevelConfiguration: KindRules = {
  columns: namedTable(
    [
      column('Type', 'Whether requests of the level are limited.'),
      column('NominalConcurrencyShares', 'The share of the requests that are served at once.'),
      column('Queues', 'How many queues the level has.'),
      column('HandSize', 'How many queues a flow may use.'),
      column('QueueLengthLimit', 'How many requests may wait in a queue.'),
    ],
    cells,
  ),
  applyDefaults,
  validate,
};

const QUEUING_DEFAULTS = { queues: 64, handSize: 8, queueLengthLimit: 50 };

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const { limited, exempt } = spec;
  return extended(object, {
    spec: extended(spec, {
      ...(isRecord(limited) ? { limited: defaultLimited(limited) } : {}),
      ...(isRecord(exempt) ? { exempt: filled({ nominalConcurrencyShares: 0, lendablePercent: 0 }, exempt) } : {}),
    }),
  });
}

function defaultLimited(limited: JsonRecord): JsonRecord {
  const response = recordOf(limited['limitResponse']);
  const { queuing } = response;
  const result = filled({ nominalConcurrencyShares: 30, lendablePercent: 0 }, limited);
  return isRecord(queuing)
    ? extended(result, { limitResponse: extended(response, { queuing: defaultQueuing(queuing) }) })
    : result;
}

/** Zero is the same as no value. */
function defaultQueuing(queuing: JsonRecord): JsonRecord {
  const given = Object.entries(queuing).filter(([, value]) => numberOf(value) !== 0);
  return { ...QUEUING_DEFAULTS, ...Object.fromEntries(given) };
}

const OLD_ANNOTATION = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function validate(object: KubeObject): Errors {
  const { name = '', annotations = {} } = object.metadata;
  const spec = recordOf(object['spec']);
  return [
    ...(Object.hasOwn(annotations, OLD_ANNOTATION)
      ? [fieldForbidden('metadata.annotations', `annotation '${OLD_ANNOTATION}' is forbidden`)]
      : []),
    ...((name === 'exempt') === (spec['type'] === 'Exempt')
      ? []
      : [fieldInvalid('spec.type', textOf(spec['type']), "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...validateSpec(spec),
    ...validateMandatory(spec, name),
    ...validateConditionTypes(object['status']),
  ];
}

function validateSpec({ type, limited, exempt }: JsonRecord): Errors {
  if (type === 'Exempt') {
    return [
      ...(isRecord(limited) ? [fieldForbidden('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(isRecord(exempt)
        ? [...validateShares(exempt, 'spec.exempt'), ...validateLendable(exempt, 'spec.exempt')]
        : []),
    ];
  }
  if (type !== 'Limited') {
    const kind = textOf(type);
    return kind === '' ? [fieldRequired('spec.type')] : [fieldNotSupported('spec.type', kind, ['Exempt', 'Limited'])];
  }
  return [
    ...(isRecord(exempt) ? [fieldForbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(isRecord(limited)
      ? validateLimited(limited, 'spec.limited')
      : [fieldRequired('spec.limited', 'must not be empty when type is Limited')]),
  ];
}

/** The spec of a mandatory level cannot change, except `spec.exempt` of the level `exempt`. */
function validateMandatory(spec: JsonRecord, name: string): Errors {
  const fixed = MANDATORY_PRIORITY_LEVELS.get(name);
  if (fixed === undefined) return [];
  if (name === 'exempt') {
    const detail = "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value";
    return sameJson(extended(spec, { exempt: fixed['exempt'] }), fixed) ? [] : [fieldInvalid('spec', spec, detail)];
  }
  return sameJson(spec, fixed) ? [] : [fieldInvalid('spec', spec, `spec of '${name}' must equal the fixed value`)];
}

function validateLimited(limited: JsonRecord, field: string): Errors {
  const { borrowingLimitPercent: borrowing } = limited;
  const detail = 'if specified, must be a non-negative integer';
  return [
    ...validateShares(limited, field),
    ...validateResponse(recordOf(limited['limitResponse']), `${field}.limitResponse`),
    ...validateLendable(limited, field),
    ...(isJsonNumber(borrowing) && borrowing < 0
      ? [fieldInvalid(`${field}.borrowingLimitPercent`, borrowing, detail)]
      : []),
  ];
}

function validateShares({ nominalConcurrencyShares: shares }: JsonRecord, field: string): Errors {
  const detail = 'must be a non-negative integer';
  return isJsonNumber(shares) && shares < 0 ? [fieldInvalid(`${field}.nominalConcurrencyShares`, shares, detail)] : [];
}

function validateLendable({ lendablePercent: percent }: JsonRecord, field: string): Errors {
  const wrong = isJsonNumber(percent) && (percent < 0 || percent > 100);
  return wrong ? [fieldInvalid(`${field}.lendablePercent`, percent, rangeText(0, 100))] : [];
}

function validateResponse({ type, queuing }: JsonRecord, field: string): Errors {
  if (type === 'Reject') {
    const detail = 'must be nil if limited.limitResponse.type is not Limited';
    return isRecord(queuing) ? [fieldForbidden(`${field}.queuing`, detail)] : [];
  }
  if (type === 'Queue') {
    const detail = 'must not be empty if limited.limitResponse.type is Limited';
    return isRecord(queuing)
      ? validateQueuing(queuing, `${field}.queuing`)
      : [fieldRequired(`${field}.queuing`, detail)];
  }
  const text = textOf(type);
  return text === ''
    ? [fieldRequired(`${field}.type`)]
    : [fieldNotSupported(`${field}.type`, text, ['Queue', 'Reject'])];
}

const QUEUES_MAX = 10_000_000;
const HASH_BITS_MAX = 60;

function validateQueuing(
  { queues: count, handSize: hand, queueLengthLimit: limit }: JsonRecord,
  field: string,
): Errors {
  const queues = numberOf(count);
  const handSize = numberOf(hand);
  return [
    ...(numberOf(limit) <= 0 ? [fieldInvalid(`${field}.queueLengthLimit`, limit, 'must be positive')] : []),
    ...(queues <= 0 ? [fieldInvalid(`${field}.queues`, queues, 'must be positive')] : []),
    ...(queues > QUEUES_MAX ? [fieldInvalid(`${field}.queues`, queues, `must not be greater than ${QUEUES_MAX}`)] : []),
    ...checkHand(handSize, queues).map((complaint) => fieldInvalid(`${field}.handSize`, handSize, complaint)),
  ];
}

function checkHand(handSize: number, queues: number): readonly string[] {
  if (handSize <= 0) return ['must be positive'];
  if (handSize > queues) return [`should not be greater than queues (${queues})`];
  if (Math.ceil(Math.log2(queues) * handSize) <= HASH_BITS_MAX) return [];
  return [
    `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${HASH_BITS_MAX}`,
  ];
}

function cells(object: KubeObject): readonly unknown[] {
  const { type, limited } = recordOf(object['spec']);
  const queuing = recordOf(recordOf(recordOf(limited)['limitResponse'])['queuing']);
  const shares = recordOf(limited)['nominalConcurrencyShares'];
  const all = [shares, queuing['queues'], queuing['handSize'], queuing['queueLengthLimit']];
  return [textOf(type), ...all.map((value) => value ?? '<none>')];
}
