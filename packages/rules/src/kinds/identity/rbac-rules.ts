/** The rules that roles and their bindings share. */

import {
  checkDnsSubdomain,
  checkPathSegment,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { extended, type JsonRecord, listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { TableColumns } from '../../strategy/kind-definition.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';

type Errors = readonly FieldError[];

const GROUP = 'rbac.authorization.k8s.io';

/** Checks the rules of a role. Only a ClusterRole may have non-resource URLs. */
export function validatePolicyRules(rules: unknown, isNamespaced: boolean): Errors {
  return itemErrors(recordsOf(rules), (rule, index) => validatePolicyRule(rule, isNamespaced, `rules[${index}]`));
}

function validatePolicyRule(rule: JsonRecord, isNamespaced: boolean, field: string): Errors {
  const has = (name: string): boolean => listOf(rule[name]).length > 0;
  const verbs = has('verbs') ? [] : [fieldRequired(`${field}.verbs`, 'verbs must contain at least one value')];
  if (has('nonResourceURLs')) {
    const wrong = (detail: string): FieldError =>
      fieldInvalid(`${field}.nonResourceURLs`, rule['nonResourceURLs'], detail);
    const both = has('apiGroups') || has('resources') || has('resourceNames');
    return [
      ...verbs,
      ...(isNamespaced ? [wrong('namespaced rules cannot apply to non-resource URLs')] : []),
      ...(both ? [wrong('rules cannot apply to both regular resources and non-resource URLs')] : []),
    ];
  }
  return [
    ...verbs,
    ...(has('apiGroups')
      ? []
      : [fieldRequired(`${field}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(has('resources')
      ? []
      : [fieldRequired(`${field}.resources`, 'resource rules must supply at least one resource')]),
  ];
}

/**
 * The rules of a binding. A RoleBinding may refer to a Role of its namespace, and may omit the namespace of its service
 * accounts.
 */
export function bindingRules(isNamespaced: boolean): KindRules {
  const validate = (object: KubeObject): Errors => validateBinding(object, isNamespaced);
  return {
    columns: BINDING_COLUMNS,
    applyDefaults: defaultBinding,
    validate,
    validateUpdate: (object, old) => [...validate(object), ...sameRole(object, old)],
    checkName: pathSegmentName,
    strategy: { allowsCreateOnUpdate: true },
  };
}

function defaultBinding(object: KubeObject): KubeObject {
  const { roleRef, subjects } = object;
  return extended(object, {
    roleRef: withGroup(recordOf(roleRef)),
    ...(subjects === undefined
      ? {}
      : {
          subjects: recordsOf(subjects).map((subject) =>
            ['Group', 'User'].includes(textOf(subject['kind'])) ? withGroup(subject) : subject,
          ),
        }),
  });
}

function withGroup(reference: JsonRecord): JsonRecord {
  return textOf(reference['apiGroup']) === '' ? extended(reference, { apiGroup: GROUP }) : reference;
}

function validateBinding(object: KubeObject, isNamespaced: boolean): Errors {
  const { apiGroup, kind, name } = recordOf(object['roleRef']);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...only(apiGroup, [GROUP], 'roleRef.apiGroup'),
    ...only(kind, kinds, 'roleRef.kind'),
    ...(textOf(name) === ''
      ? [fieldRequired('roleRef.name')]
      : checkPathSegment(textOf(name)).map((complaint) => fieldInvalid('roleRef.name', name, complaint))),
    ...itemErrors(recordsOf(object['subjects']), (subject, index) =>
      validateSubject(subject, isNamespaced, `subjects[${index}]`),
    ),
  ];
}

function validateSubject(
  { kind, name, apiGroup, namespace }: JsonRecord,
  isNamespaced: boolean,
  field: string,
): Errors {
  const missing = textOf(name) === '' ? [fieldRequired(`${field}.name`)] : [];
  if (kind === 'User' || kind === 'Group') return [...missing, ...only(apiGroup, [GROUP], `${field}.apiGroup`)];
  if (kind !== 'ServiceAccount') {
    return [...missing, fieldNotSupported(`${field}.kind`, textOf(kind), ['ServiceAccount', 'User', 'Group'])];
  }
  return [
    ...missing,
    ...(missing.length > 0
      ? []
      : checkDnsSubdomain(textOf(name)).map((complaint) => fieldInvalid(`${field}.name`, name, complaint))),
    ...only(apiGroup, [''], `${field}.apiGroup`),
    ...(!isNamespaced && textOf(namespace) === '' ? [fieldRequired(`${field}.namespace`)] : []),
  ];
}

function only(value: unknown, supported: readonly string[], field: string): Errors {
  return supported.includes(textOf(value)) ? [] : [fieldNotSupported(field, textOf(value), supported)];
}

function sameRole({ roleRef }: KubeObject, old: KubeObject): Errors {
  if (sameJson(roleRef, old['roleRef'])) return [];
  const { apiGroup, kind, name } = recordOf(roleRef);
  // The message shows the Go field names.
  const shown = { APIGroup: textOf(apiGroup), Kind: textOf(kind), Name: textOf(name) };
  return [fieldInvalid('roleRef', shown, 'cannot change roleRef')];
}

const wide = { priority: 1 };

const BINDING_COLUMNS: TableColumns = {
  definitions: [
    NAME_COLUMN,
    column('Role', 'The role that it grants.'),
    AGE_COLUMN,
    column('Users', 'The users that have the role.', wide),
    column('Groups', 'The groups that have the role.', wide),
    column('ServiceAccounts', 'The service accounts that have the role.', wide),
  ],
  cells: (object, now) => {
    const { kind, name } = recordOf(object['roleRef']);
    const subjects = recordsOf(object['subjects']);
    const names = (wanted: string): string =>
      subjects
        .filter((subject) => subject['kind'] === wanted)
        .map((subject) => (wanted === 'ServiceAccount' ? accountText(subject) : textOf(subject['name'])))
        .join(', ');
    return [
      nameCell(object),
      `${textOf(kind)}/${textOf(name)}`,
      ageCell(object, now),
      names('User'),
      names('Group'),
      names('ServiceAccount'),
    ];
  },
};

function accountText({ namespace, name }: JsonRecord): string {
  return `${textOf(namespace)}/${textOf(name)}`;
}
