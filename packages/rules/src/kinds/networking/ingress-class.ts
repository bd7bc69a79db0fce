/** IngressClass: the controller behind a class of Ingresses, and its parameters. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  patternText,
} from '@listwatch/api';
import { extended, isRecord, type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateTypedReference } from '../../validation/reference-rules.ts';

type Errors = readonly FieldError[];

/** The rules of IngressClass. */
export const ingressClass: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Controller', 'The controller that serves Ingresses of this class.'),
      column('Parameters', 'The object with further configuration.'),
      AGE_COLUMN,
    ],
    cells: (object, now) => {
      const { controller, parameters } = recordOf(object['spec']);
      return [nameOf(object), textOf(controller), parametersCell(parameters), ageCell(object, now)];
    },
  },
  applyDefaults,
  validate,
  validateUpdate: (object, old) => [
    ...immutable('spec.controller', controllerOf(object), controllerOf(old)),
    ...validate(object),
  ],
};

function validate(object: KubeObject): readonly FieldError[] {
  const { controller, parameters } = recordOf(object['spec']);
  return [
    ...validateController(textOf(controller), 'spec.controller'),
    ...(isRecord(parameters) ? validateParameters(parameters, 'spec.parameters') : []),
  ];
}

function applyDefaults(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  const { parameters } = spec;
  if (!isRecord(parameters)) return object;
  return extended(object, { spec: extended(spec, { parameters: filled({ scope: 'Cluster' }, parameters) }) });
}

const CONTROLLER_MAX = 250;
const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isPath = new RegExp(`^${PATH}$`);

function controllerOf(object: KubeObject): string {
  return textOf(recordOf(object['spec'])['controller']);
}

function validateController(controller: string, field: string): Errors {
  const errors = controller.length > CONTROLLER_MAX ? [fieldTooLong(field, CONTROLLER_MAX)] : [];
  if (controller === '') return [...errors, fieldRequired(field)];
  const slash = controller.indexOf('/');
  const host = controller.slice(0, Math.max(slash, 0));
  const path = controller.slice(slash + 1);
  if (slash < 1 || path === '') {
    return [...errors, fieldInvalid(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...errors,
    ...checkDnsSubdomain(host).map((complaint) => fieldInvalid(field, host, complaint)),
    ...(isPath.test(path) ? [] : [fieldInvalid(field, path, patternText('Invalid path', PATH, []))]),
  ];
}

function validateParameters(parameters: JsonRecord, field: string): Errors {
  return [...validateTypedReference(parameters, field), ...validateScope(parameters, field)];
}

const SCOPES = ['Cluster', 'Namespace'];

function validateScope({ scope, namespace }: JsonRecord, field: string): Errors {
  if (typeof scope !== 'string') return [fieldRequired(`${field}.scope`)];
  if (!SCOPES.includes(scope)) return [fieldNotSupported(`${field}.scope`, scope, SCOPES)];
  if (scope === 'Cluster') {
    const detail = "`parameters.scope` is set to 'Cluster'";
    return namespace === undefined ? [] : [fieldForbidden(`${field}.namespace`, detail)];
  }
  if (typeof namespace !== 'string') {
    return [fieldRequired(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  }
  return checkDnsLabel(namespace).map((complaint) => fieldInvalid(`${field}.namespace`, namespace, complaint));
}

function nameOf(object: KubeObject): string {
  const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
  return isDefault ? `${nameCell(object)} (default)` : nameCell(object);
}

function parametersCell(parameters: unknown): string {
  if (!isRecord(parameters)) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${textOf(kind)}${typeof apiGroup === 'string' ? `.${apiGroup}` : ''}/${textOf(name)}`;
}
