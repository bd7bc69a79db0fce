/** Type-checks the expressions of a ValidatingAdmissionPolicy against the schemas of the kinds that it matches. */

import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import {
  CelCompileError,
  type CelEnvironment,
  type CelType,
  DYN,
  kubernetesEnvironment,
  type ObjectTypes,
} from '@listwatch/cel';
import { AUTHORIZER_TYPE } from '@listwatch/cel/internal';
import { VARIABLES_TYPE, variableType } from '../kinds/admission/admission-environment.ts';
import { ADMISSION_TYPES, NAMESPACE_TYPE, REQUEST_TYPE } from '../kinds/admission/admission-types.ts';

/** The type of the objects of a kind. */
export interface CheckedType {
  readonly type: CelType;
  readonly objectTypes: ObjectTypes;
}

/** A kind that the policy is about. */
export interface CheckedKind extends CheckedType {
  /** As Go prints it: `apps/v1, Kind=Deployment`. */
  readonly text: string;
}

/** As in the status of a policy. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** A resource in the rules of a policy that can be type-checked. */
export interface PolicyResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** The maximum of kinds to check. */
export const CHECKED_KINDS_MAX = 10;

/** The resources in the rules of a policy. Rules with `*`, and subresources, are not checked. */
export function checkedResources(spec: JsonRecord): readonly PolicyResource[] {
  const found: PolicyResource[] = [];
  for (const rule of recordsOf(recordOf(spec['matchConstraints'])['resourceRules'])) {
    const groups = sorted(rule['apiGroups']);
    const versions = sorted(rule['apiVersions']);
    if ([...groups, ...versions].some((name) => name.includes('*'))) continue;
    const plurals = sorted(rule['resources']).filter((name) => !/[*/]/.test(name));
    for (const group of groups) {
      for (const version of versions) for (const plural of plurals) found.push({ group, version, plural });
    }
  }
  return found;
}

function sorted(list: unknown): readonly string[] {
  return listOf(list).map(textOf).toSorted();
}

/** Longer expressions are not checked: they would block the event loop. */
const EXPRESSION_LENGTH_MAX = 16 * 1024;

/**
 * The type errors in validations and their messages. `params` is undefined when the type of the parameters is unknown.
 * Awaits `pause` between expressions.
 */
export async function typeWarnings(
  spec: JsonRecord,
  kinds: readonly CheckedKind[],
  { params, pause }: { readonly params: CheckedType | undefined; readonly pause: () => Promise<void> },
): Promise<readonly ExpressionWarning[]> {
  const environments: { readonly text: string; readonly environment: CelEnvironment }[] = [];
  for (const kind of kinds) {
    environments.push({ text: kind.text, environment: environmentOf(spec, kind, params) });
    await pause();
  }
  const warnings: ExpressionWarning[] = [];
  const check = async (expression: string, fieldRef: string): Promise<void> => {
    const problems: string[] = [];
    for (const { text, environment } of environments) {
      if (expression.length > EXPRESSION_LENGTH_MAX) continue;
      const problem = problemOf(environment, expression);
      if (problem !== undefined) problems.push(`${text}: ${problem}\n`);
      await pause();
    }
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') });
  };
  for (const [index, { expression, messageExpression }] of recordsOf(spec['validations']).entries()) {
    const field = `spec.validations[${index}]`;
    await check(textOf(expression), `${field}.expression`);
    if (textOf(messageExpression) !== '') await check(textOf(messageExpression), `${field}.messageExpression`);
  }
  return warnings;
}

function environmentOf(
  spec: JsonRecord,
  { type, objectTypes }: CheckedKind,
  params: CheckedType | undefined,
): CelEnvironment {
  const variables = new Map<string, CelType>();
  const environment = kubernetesEnvironment().extend({
    variables: {
      object: type,
      oldObject: type,
      namespaceObject: NAMESPACE_TYPE,
      request: REQUEST_TYPE,
      ...(isRecord(spec['paramKind']) ? { params: params?.type ?? DYN } : {}),
      authorizer: AUTHORIZER_TYPE,
      variables: VARIABLES_TYPE,
    },
    objectTypes: {
      fields: (name) =>
        name === VARIABLES_TYPE.name
          ? variables
          : (ADMISSION_TYPES.get(name) ?? objectTypes.fields(name) ?? params?.objectTypes.fields(name)),
    },
  });
  for (const variable of recordsOf(spec['variables'])) {
    const text = textOf(variable['expression']);
    const isChecked = text.length <= EXPRESSION_LENGTH_MAX;
    variables.set(textOf(variable['name']), isChecked ? resultType(environment, text) : DYN);
  }
  return environment;
}

function resultType(environment: CelEnvironment, text: string): CelType {
  try {
    return variableType(environment.compile(text).resultType);
  } catch (error) {
    if (error instanceof CelCompileError) return DYN;
    throw error;
  }
}

function problemOf(environment: CelEnvironment, text: string): string | undefined {
  try {
    environment.compile(text);
    return undefined;
  } catch (error) {
    if (error instanceof CelCompileError) return error.message;
    throw error;
  }
}
