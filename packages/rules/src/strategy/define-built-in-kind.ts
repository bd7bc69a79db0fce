/** Builds the definition of a kind from its data and its rules. */

import { resource, StatusError } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { KindData } from '@listwatch/kinds/data';
import { BUILT_IN_SCHEMAS, type KindSchemas } from '@listwatch/kinds/schemas';
import { canonical, checkedForm, DocumentCheck, decodeProblem, type StructPlan, withDefaults } from '@listwatch/schema';
import { namedTable } from '../columns/table-column.ts';
import { SUBRESOURCE_RULES } from '../kinds/subresource-rules.ts';
import { kindWarnings } from '../kinds/warnings/kind-warnings.ts';
import type { KubeObject } from '../kube-object.ts';
import { subdomainName } from '../validation/name-rules.ts';
import {
  defaultFieldsOf,
  defaultResolveField,
  defaultStoragePrefix,
  defaultStrategy,
  keepAllButStatus,
  keepStatus,
  withoutStatus,
} from './kind-conventions.ts';
import type { KindDefinition, PrepareChange, ResourceStrategy } from './kind-definition.ts';
import type { KindRules } from './kind-rules.ts';
import { kindValidation } from './kind-validation.ts';
import { defaultResetFields, type ResetFields } from './reset-fields.ts';
import { newObjectBudget } from './size-budget.ts';
import { statusOnly } from './status-change.ts';

/** The definition of a kind. Load its schemas with `KindDefinition.load` before preparing objects. */
export function defineBuiltInKind(
  data: KindData,
  rules: KindRules = {},
  schemas: KindSchemas = BUILT_IN_SCHEMAS,
): KindDefinition {
  const { group, version, plural, kind, namespaced, type } = data;
  const plan = (): StructPlan => schemas.plan(type);
  const { convert } = rules;
  const formed = formedStrategy(data, rules, plan);
  return Object.freeze({
    resource: resource({ group, version, plural, kind, namespaced }),
    data,
    verbs: data.verbs,
    reportedKind: { group: rules.reportedGroup ?? group, kind },
    deprecation: rules.deprecation,
    bodyLimits: rules.bodyLimits,
    subresources: storedSubresources(data, rules),
    storagePrefix: rules.storagePrefix ?? defaultStoragePrefix(data),
    fieldsOf: rules.fieldsOf ?? defaultFieldsOf(data),
    resolveField: rules.resolveField ?? defaultResolveField(data),
    strategy: formed.strategy,
    resetFields: rules.resetFields ?? defaultResetFields(data),
    zero: () => schemas.zero(type),
    columns: rules.columns ?? NAME_AND_AGE,
    schemas,
    load: () => schemas.load(type),
    plan,
    decodeProblem: (document: unknown) => decodeProblem(plan(), document),
    plainForm: formed.plainForm,
    convert: convert && ((object: KubeObject) => canonicalObject(plan(), convert(object))),
  });
}

const NAME_AND_AGE = namedTable([], () => []);

/** The subresources that read and write the object itself. Others are served by code of their own. */
function storedSubresources(
  { subresources, type }: KindData,
  { onFinalize, subresources: own = SUBRESOURCE_RULES[type] ?? {} }: KindRules,
): Readonly<Record<string, readonly string[]>> {
  const isStored = (name: string): boolean =>
    name === 'status' || Object.hasOwn(own, name) || (name === 'finalize' && onFinalize !== undefined);
  return Object.fromEntries(
    Object.entries(subresources)
      .filter(([name]) => isStored(name))
      .map(([name, { verbs }]) => [name, verbs]),
  );
}

/** The strategy, and the way into canonical form that it knows. */
type FormedStrategy = Pick<KindDefinition, 'plainForm' | 'strategy'>;

function formedStrategy(data: KindData, rules: KindRules, plan: () => StructPlan): FormedStrategy {
  const hasStatus = Object.hasOwn(data.subresources, 'status');
  const {
    onCreate = hasStatus ? withoutStatus : same,
    onUpdate = hasStatus ? keepStatus : same,
    onStatusUpdate = hasStatus ? statusUpdate(rules.resetFields ?? defaultResetFields(data)) : undefined,
    onFinalize,
    applyDefaults = same,
    keepEmpty = same,
    subresources = SUBRESOURCE_RULES[data.type] ?? {},
  } = rules;
  const canonicals = new WeakSet<KubeObject>();
  const defaulteds = new WeakSet<KubeObject>();
  const canonicalSent = (object: KubeObject, known?: KubeObject): KubeObject =>
    keepEmpty(canonicalObject(plan(), object, known), object);
  const withDefaultFields = (object: KubeObject, now: number): KubeObject => {
    if (defaulteds.has(object)) return object;
    const taken = canonicals.has(object) ? object : canonicalSent(object);
    const result = canonicalUnless(taken, applyDefaults(declaredDefaults(plan(), taken), now));
    defaulteds.add(result);
    return result;
  };
  // Most kinds return the same object. Otherwise only the changed parts are made canonical again.
  const canonicalUnless = (known: KubeObject, changed: KubeObject): KubeObject =>
    changed === known ? known : canonicalObject(plan(), changed, known);
  const prepare = (object: KubeObject, now: number, change: (object: KubeObject) => KubeObject): KubeObject => {
    const taken = withDefaultFields(object, now);
    return canonicalUnless(taken, change(taken));
  };
  const onChange = (change: PrepareChange): PrepareChange => {
    return (object, old, now) => prepare(object, now, (taken) => change(taken, old, now));
  };
  const strategy: ResourceStrategy = {
    canonical: (object, known) => {
      const result = canonicals.has(object) ? object : canonicalSent(object, known);
      canonicals.add(result);
      if (known !== undefined && defaulteds.has(known)) defaulteds.add(result);
      return result;
    },
    withMetadata: (object, metadata) => {
      const result = canonicalUnless(object, { ...object, metadata });
      if (defaulteds.has(object)) defaulteds.add(result);
      return result;
    },
    withDefaults: withDefaultFields,
    prepareForCreate: (object, now) => prepare(object, now, (taken) => onCreate(taken, now)),
    prepareForUpdate: onChange(onUpdate),
    prepareForStatusUpdate: onStatusUpdate === undefined ? undefined : onChange(onStatusUpdate),
    prepareForFinalize: onFinalize === undefined ? undefined : onChange(onFinalize),
    subresources: Object.fromEntries(
      Object.entries(subresources).map(([name, own]) => [
        name,
        { prepareForUpdate: onChange(own.onUpdate), raisesGeneration: own.raisesGeneration === true },
      ]),
    ),
    validate: kindValidation(rules, subresources, kindWarnings(data.type)),
    ...defaultStrategy(data),
    ...rules.strategy,
    checkName: rules.checkName ?? subdomainName,
  };
  const plainForm = (document: JsonRecord, members: number | undefined): KubeObject | undefined => {
    const form = plainObject(plan(), document, members);
    if (form === undefined) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the type of the kind
    const result = keepEmpty(form, document as unknown as KubeObject);
    canonicals.add(result);
    return result;
  };
  return { strategy, plainForm };
}

function plainObject(plan: StructPlan, document: JsonRecord, members: number | undefined): KubeObject | undefined {
  const check = new DocumentCheck();
  try {
    const form = checkedForm(plan, document, newObjectBudget(), check);
    if (!check.isPlain || (members !== undefined && check.members !== members)) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `canonicalObject`
    return form as unknown as KubeObject;
  } catch (error) {
    // Too large. An error about a field comes first.
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function statusUpdate({ status = [] }: ResetFields): PrepareChange {
  return status.some(([first, ...rest]) => first === 'metadata' && rest.length === 0) ? statusOnly : keepAllButStatus;
}

/** The object in canonical form. Its types are valid: the verbs run `decodeProblem` on the document of a client. */
function canonicalObject(plan: StructPlan, object: KubeObject, known?: KubeObject): KubeObject {
  const result = canonical(plan, object, newObjectBudget(), known);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every kind has them; to name them again costs a copy
  return result as unknown as KubeObject;
}

function declaredDefaults(plan: StructPlan, object: KubeObject): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- defaults add fields and take none away
  return withDefaults(plan, object) as KubeObject;
}

function same(object: KubeObject): KubeObject {
  return object;
}
