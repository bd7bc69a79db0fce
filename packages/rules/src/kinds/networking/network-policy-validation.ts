/** Validates NetworkPolicies. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { checkAddressRange, isStrictlyWithin, legacyRange } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { checkPortName, validatePortNumber } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** The ranges of the old object, which are not checked again. */
type KnownRanges = ReadonlySet<string>;

const NOTHING_KNOWN: KnownRanges = new Set();

/** The rules for a new policy. */
export function validateNetworkPolicy(object: KubeObject): Errors {
  return validateSpec(recordOf(object['spec']), NOTHING_KNOWN);
}

/** The rules for a changed policy. Invalid ranges that are already stored are accepted. */
export function validateNetworkPolicyChange(object: KubeObject, old: KubeObject): Errors {
  return validateSpec(recordOf(object['spec']), new Set(rangesOf(recordOf(old['spec']))));
}

function rangesOf({ ingress, egress }: JsonRecord): readonly string[] {
  const peers = [
    ...recordsOf(ingress).flatMap(({ from }) => recordsOf(from)),
    ...recordsOf(egress).flatMap(({ to }) => recordsOf(to)),
  ];
  return peers.flatMap(({ ipBlock }) => {
    const { cidr, except } = recordOf(ipBlock);
    return [textOf(cidr), ...listOf(except).map(textOf)];
  });
}

const TYPES = ['Ingress', 'Egress'];

function validateSpec(spec: JsonRecord, known: KnownRanges): Errors {
  return [
    ...validateLabelSelector(spec['podSelector'], 'spec.podSelector'),
    ...itemErrors(recordsOf(spec['ingress']), ruleCheck('from', 'spec.ingress', known)),
    ...itemErrors(recordsOf(spec['egress']), ruleCheck('to', 'spec.egress', known)),
    ...validateTypes(spec),
  ];
}

function validateTypes({ policyTypes }: JsonRecord): Errors {
  const types = listOf(policyTypes).map(textOf);
  if (types.length > TYPES.length) {
    return [fieldInvalid('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  return itemErrors(types, (type, index) =>
    TYPES.includes(type) ? [] : [fieldNotSupported(`spec.policyTypes[${index}]`, type, TYPES)],
  );
}

function ruleCheck(
  peers: 'from' | 'to',
  field: string,
  known: KnownRanges,
): (rule: JsonRecord, index: number) => Errors {
  return (rule, index) => [
    ...itemErrors(recordsOf(rule['ports']), (port, at) => validatePort(port, `${field}[${index}].ports[${at}]`)),
    ...itemErrors(recordsOf(rule[peers]), (peer, at) =>
      validatePeer(peer, `${field}[${index}].${peers}[${at}]`, known),
    ),
  ];
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

function validatePort({ protocol, port, endPort }: JsonRecord, field: string): Errors {
  const errors =
    typeof protocol === 'string' && !PROTOCOLS.includes(protocol)
      ? [fieldNotSupported(`${field}.protocol`, protocol, PROTOCOLS)]
      : [];
  if (port === undefined)
    return [...errors, ...noEnd(endPort, field, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string') {
    return [
      ...errors,
      ...noEnd(endPort, field, 'may not be specified when `port` is non-numeric'),
      ...checkPortName(port).map((complaint) => fieldInvalid(`${field}.port`, port, complaint)),
    ];
  }
  return [
    ...errors,
    ...validatePortNumber(numberOf(port), `${field}.port`),
    ...(endPort === undefined ? [] : validateEnd(numberOf(endPort), numberOf(port), `${field}.endPort`)),
  ];
}

function validateEnd(end: number, start: number, field: string): Errors {
  // Kubernetes shows the first port here, not the last.
  const order = end < start ? [fieldInvalid(field, start, 'must be greater than or equal to `port`')] : [];
  return [...order, ...validatePortNumber(end, field)];
}

function noEnd(end: unknown, field: string, detail: string): Errors {
  return end === undefined ? [] : [fieldInvalid(`${field}.endPort`, end, detail)];
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: JsonRecord,
  field: string,
  known: KnownRanges,
): Errors {
  const selectors = [podSelector, namespaceSelector].filter(isRecord).length;
  const errors = [
    ...validateLabelSelector(podSelector, `${field}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...(isRecord(ipBlock) ? validateBlock(ipBlock, `${field}.ipBlock`, known) : []),
  ];
  if (selectors === 0 && !isRecord(ipBlock)) return [...errors, fieldRequired(field, 'must specify a peer')];
  return selectors > 0 && isRecord(ipBlock)
    ? [...errors, fieldForbidden(field, 'may not specify both ipBlock and another peer')]
    : errors;
}

function validateBlock(block: JsonRecord, field: string, known: KnownRanges): Errors {
  const cidr = textOf(block['cidr']);
  if (cidr === '') return [fieldRequired(`${field}.cidr`)];
  const range = legacyRange(cidr);
  const errors = validateRange(cidr, `${field}.cidr`, known);
  if (range === undefined) return errors;
  const excepted = itemErrors(listOf(block['except']).map(textOf), (text, index) => {
    const part = legacyRange(text);
    const at = `${field}.except[${index}]`;
    const outside = part !== undefined && !isStrictlyWithin(part, range);
    return [
      ...validateRange(text, at, known),
      ...(outside ? [fieldInvalid(at, text, 'must be a strict subset of `cidr`')] : []),
    ];
  });
  return [...errors, ...excepted];
}

function validateRange(text: string, field: string, known: KnownRanges): Errors {
  return known.has(text) ? [] : checkAddressRange(text).map((complaint) => fieldInvalid(field, text, complaint));
}
