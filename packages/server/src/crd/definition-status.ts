/** Computes the status of a CustomResourceDefinition: accepted names and conditions. Pure. */

import { quote } from '@listwatch/api';
import { defined, isRecord, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { CustomNames } from '../kinds/crd/custom-definition.ts';
import { namesOf } from '../kinds/crd/custom-definition.ts';

/** A condition of a definition. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'False' | 'True';
  readonly reason: string;
  readonly message: string;
}

/** The inputs of the status beside the definition. */
export interface StatusFacts {
  /** The accepted names of all definitions of the group, this one included. */
  readonly taken: readonly CustomNames[];
  /** RFC 3339. */
  readonly now: string;
  /** Does the CA bundle (base64) consist of certificates? */
  readonly isCaBundle: (caBundle: string) => boolean;
}

const APPROVAL = 'api-approved.kubernetes.io';
const APPROVAL_SITE = 'https://github.com/kubernetes/enhancements/pull/1111';

/** The definition with the right status; the same object if nothing changes. */
export function withStatus(object: KubeObject, facts: StatusFacts): KubeObject {
  const named = withNames(object, facts);
  const approved = withApproval(named, facts.now);
  return established(approved, facts);
}

/** The object with a condition. The transition time is kept unless the condition's status changes. */
export function withCondition(object: KubeObject, condition: DefinitionCondition, now: string): KubeObject {
  const status = recordOf(object['status']);
  const old = recordsOf(status['conditions']);
  const known = old.find(({ type }) => type === condition.type);
  const { type, reason, message } = condition;
  if (known !== undefined && sameCondition(known, condition)) return object;
  const time = known !== undefined && known['status'] === condition.status ? known['lastTransitionTime'] : now;
  const made = defined({ type, status: condition.status, lastTransitionTime: time, reason, message });
  const conditions = known === undefined ? [...old, made] : old.map((one) => (one === known ? made : one));
  return { ...object, status: { ...status, conditions } };
}

/** Accepts the names that no other definition of the group has. */
function withNames(object: KubeObject, { taken, now }: StatusFacts): KubeObject {
  const status = recordOf(object['status']);
  const wanted = recordOf(recordOf(object['spec'])['names']);
  const accepted = recordOf(status['acceptedNames']);
  const isSettled = sameJson(wanted, accepted) && conditionOf(object, 'NamesAccepted') !== undefined;
  if (isSettled) return object;
  const { names, condition } = acceptNames(namesOf(wanted), namesOf(accepted), taken);
  const next = acceptedNames(names);
  const known = conditionOf(object, 'NamesAccepted');
  if (sameJson(next, accepted) && known !== undefined && sameCondition(known, condition)) return object;
  const named = withCondition({ ...object, status: { ...status, acceptedNames: next } }, condition, now);
  const before = conditionOf(named, 'Established');
  if (before?.['status'] === 'True') return named;
  if (condition.status === 'True') return withCondition(named, INSTALLING, now);
  return before === undefined ? withCondition(named, NOT_ACCEPTED, now) : named;
}

const INSTALLING: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};
const NOT_ACCEPTED: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

interface AcceptedNames {
  readonly names: CustomNames;
  readonly condition: DefinitionCondition;
}

/** Decides each name separately: a name that is taken keeps its old value. The last conflict is reported. */
function acceptNames(wanted: CustomNames, accepted: CustomNames, taken: readonly CustomNames[]): AcceptedNames {
  const resources = new Set(taken.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]));
  const kinds = new Set(taken.flatMap(({ kind, listKind }) => [kind, listKind]));
  let conflict: { readonly reason: string; readonly message: string } | undefined;
  const choose = (name: string, old: string, used: ReadonlySet<string>, reason: string): string => {
    if (name === old || !used.has(name)) return name;
    conflict = { reason, message: `${quote(name)} is already in use` };
    return old;
  };
  const plural = choose(wanted.plural, accepted.plural, resources, 'PluralConflict');
  const singular = choose(wanted.singular, accepted.singular, resources, 'SingularConflict');
  const own = new Set(accepted.shortNames);
  const clashes = wanted.shortNames.filter((name) => !own.has(name) && resources.has(name));
  if (clashes.length > 0) {
    const texts = [...new Set(clashes.map((name) => `${quote(name)} is already in use`))];
    const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
    conflict = { reason: 'ShortNamesConflict', message };
  }
  const shortNames = clashes.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = choose(wanted.kind, accepted.kind, kinds, 'KindConflict');
  const listKind = choose(wanted.listKind, accepted.listKind, kinds, 'ListKindConflict');
  const names = { plural, singular, shortNames, kind, listKind, categories: wanted.categories };
  const condition: DefinitionCondition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  return { names, condition };
}

/** The names as the status has them: always `plural` and `kind`, other names if there are any. */
function acceptedNames({ plural, singular, shortNames, kind, listKind, categories }: CustomNames): JsonRecord {
  return defined({
    plural,
    singular: singular || undefined,
    shortNames: shortNames.length === 0 ? undefined : shortNames,
    kind,
    listKind: listKind || undefined,
    categories: categories.length === 0 ? undefined : categories,
  });
}

/** Groups of the Kubernetes project need an approval. */
function withApproval(object: KubeObject, now: string): KubeObject {
  const group = textOf(recordOf(object['spec'])['group']);
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(group)) return object;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const annotation = textOf(recordOf(object.metadata['annotations'])[APPROVAL]);
  const condition = (status: 'False' | 'True', reason: string, message: string): KubeObject =>
    withCondition(object, { type, status, reason, message }, now);
  if (annotation === '') {
    const message = `protected groups must have approval annotation ${quote(APPROVAL)}, see ${APPROVAL_SITE}`;
    return condition('False', 'MissingAnnotation', message);
  }
  if (annotation.startsWith('unapproved')) {
    return condition('False', 'UnapprovedAnnotation', `not approved: ${quote(annotation)}`);
  }
  if (URL.canParse(annotation)) return condition('True', 'ApprovedAnnotation', `approved in ${annotation}`);
  const message = `protected groups must have approval annotation ${quote(APPROVAL)} with either a URL or a reason starting with "unapproved", see ${APPROVAL_SITE}`;
  return condition('False', 'InvalidAnnotation', message);
}

/** Establishes a definition whose names are accepted, unless its webhook could never be called. */
function established(object: KubeObject, { now, isCaBundle }: StatusFacts): KubeObject {
  if (conditionOf(object, 'NamesAccepted')?.['status'] !== 'True') return object;
  if (conditionOf(object, 'Established')?.['status'] === 'True') return object;
  const conversion = recordOf(recordOf(object['spec'])['conversion']);
  const { caBundle } = recordOf(recordOf(conversion['webhook'])['clientConfig']);
  const type = 'Established';
  if (typeof caBundle === 'string' && caBundle !== '' && !isCaBundle(caBundle)) {
    const message = 'The conversion webhook CABundle is invalid';
    return withCondition(object, { type, status: 'False', reason: 'InvalidCABundle', message }, now);
  }
  const message = 'the initial names have been accepted';
  return withCondition(object, { type, status: 'True', reason: 'InitialNamesAccepted', message }, now);
}

function conditionOf(object: KubeObject, type: string): JsonRecord | undefined {
  const { conditions } = recordOf(object['status']);
  return recordsOf(conditions).find((one) => isRecord(one) && one['type'] === type);
}

function sameCondition(known: JsonRecord, { status, reason, message }: DefinitionCondition): boolean {
  return known['status'] === status && known['reason'] === reason && known['message'] === message;
}
