/** Validates a CustomResourceDefinition. Start here. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { CustomRules } from '../custom-rules.ts';
import type { MetadataRules } from '../custom-schema.ts';
import { childPath, indexPath } from '../error-path.ts';
import { isEqualJson } from '../object/equal-json.ts';
import { hasSchema } from '../schema-walk.ts';
import { approvalProblems } from './approval-problems.ts';
import { caBundleOf, conversionProblems, hasUnknownVersionsOnly } from './conversion-problems.ts';
import { dumpVersions } from './definition-dump.ts';
import { type DefinitionTolerance, definitionTolerance, STRICT } from './definition-tolerance.ts';
import {
  type DefinitionView,
  definitionView,
  recordAt,
  recordsAt,
  textAt,
  type VersionView,
  versionSchema,
} from './definition-view.ts';
import { missingNames, nameProblems } from './name-problems.ts';
import { storedVersionProblems } from './stored-version-problems.ts';
import { type ValidationCheckOptions, validationProblems } from './validation-problems.ts';
import { columnProblems, selectableFieldProblems, subresourceProblems } from './version-part-problems.ts';
import { versionProblems } from './version-problems.ts';

/** How a definition is validated. */
export interface DefinitionCheckOptions {
  /** The definition that is there now: its faults are tolerated. Default: the definition is new. */
  readonly old?: JsonRecord | undefined;
  /** Default: rules are not checked. */
  readonly rules?: CustomRules | undefined;
  /** For the metadata of embedded objects in defaults. */
  readonly metadata?: MetadataRules | undefined;
  /** Is the CA bundle (base64) one of PEM certificates? Asked once the definition is Established. Default: it is. */
  readonly isCaBundle?: ((caBundle: string) => boolean) | undefined;
}

/**
 * All that is wrong with `spec`, `status` and the approval annotation of a CustomResourceDefinition, in the order of
 * kube-apiserver; and with its name, when it is new. The rest of its metadata is validated by the verbs.
 */
export function definitionProblems(
  definition: JsonRecord,
  options: DefinitionCheckOptions = {},
): readonly FieldError[] {
  const strict = problems(definition, options, STRICT);
  if (strict.length === 0 || options.old === undefined) return strict;
  // To find the faults of the stored definition costs as much as to validate a new one: only when it matters.
  const tolerance = definitionTolerance(options.old);
  return problems(definition, options, tolerance);
}

/** The errors in an update of `/status` of a definition. */
export function definitionStatusProblems(definition: JsonRecord): readonly FieldError[] {
  const status = recordAt(definition, 'status') ?? {};
  return nameProblems(recordAt(status, 'acceptedNames') ?? {}, 'status.acceptedNames');
}

function problems(
  definition: JsonRecord,
  options: DefinitionCheckOptions,
  tolerance: DefinitionTolerance,
): readonly FieldError[] {
  const view = definitionView(definition);
  const { old } = options;
  const errors: FieldError[] = old === undefined ? [...namingProblems(definition, view)] : [];
  errors.push(...specProblems(view, options, tolerance));
  if (old !== undefined) errors.push(...changeProblems(view, old));
  return [
    ...errors,
    ...definitionStatusProblems(definition),
    ...storedVersionProblems(view),
    ...approvalProblems(definition, view.group, old),
    ...preserveProblems(view, old),
  ];
}

function namingProblems(definition: JsonRecord, { names, group }: DefinitionView): readonly FieldError[] {
  const name = textAt(recordAt(definition, 'metadata') ?? {}, 'name');
  const isRight = name === `${textAt(names, 'plural')}.${group}`;
  return isRight || name === ''
    ? []
    : [fieldInvalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function specProblems(
  view: DefinitionView,
  options: DefinitionCheckOptions,
  tolerance: DefinitionTolerance,
): readonly FieldError[] {
  const checks = validationChecks(view, options, tolerance);
  const errors: FieldError[] = [
    ...groupProblems(view.group),
    ...scopeProblems(view.scope),
    ...missingSchemas(view, tolerance),
    ...(view.preservesUnknown && hasDefaults(view)
      ? [fieldInvalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
      : []),
  ];
  for (const [index, version] of view.versions.entries()) {
    const allowsManyFields = tolerance.manyFields.has(version.name);
    errors.push(...versionProblems(version, indexPath('spec.versions', index), checks(version), allowsManyFields));
  }
  errors.push(
    ...versionListProblems(view),
    ...missingNames(view.names, 'spec.names'),
    ...nameProblems(view.names, 'spec.names'),
  );
  const { common } = view;
  errors.push(
    ...validationProblems(common.schema, 'spec.validation', checks(undefined)),
    ...subresourceProblems(common.subresources, 'spec.subresources'),
    ...columnProblems(common.columns, 'spec.additionalPrinterColumns'),
    ...commonFieldProblems(view, tolerance),
  );
  const strategy = textAt(view.conversion ?? {}, 'strategy');
  if (view.conversion !== undefined && strategy !== 'None' && view.preservesUnknown) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(fieldInvalid('spec.conversion.strategy', strategy, detail));
  }
  return [...errors, ...conversionProblems(view.conversion, 'spec.conversion', conversionTolerance(options))];
}

/** How the schema of a version, or of all versions, is validated. */
function validationChecks(
  view: DefinitionView,
  { rules, metadata = {}, old }: DefinitionCheckOptions,
  tolerance: DefinitionTolerance,
): (version: VersionView | undefined) => ValidationCheckOptions {
  const oldView = old === undefined ? undefined : definitionView(old);
  const stored = oldView === undefined || rules === undefined ? new Set<string>() : storedRules(oldView);
  // kube-apiserver reads schemas as structural ones as soon as one thing in the definition needs it.
  const allowsNonStructural = tolerance.allowsNonStructural && view.preservesUnknown && !hasDefaults(view);
  return (version) => ({
    rules,
    metadata,
    stored,
    tolerance: { ...tolerance, allowsNonStructural },
    isUnchanged:
      rules !== undefined && oldView !== undefined && isUnchanged(view, version ?? view.versions[0], oldView),
    hasStatus:
      version === undefined
        ? [view.common, ...view.versions].some(hasStatus)
        : hasStatus(view.versions.some(({ subresources }) => subresources !== undefined) ? version : view.common),
  });
}

function hasStatus({ subresources }: { readonly subresources: JsonRecord | undefined }): boolean {
  return subresources !== undefined && recordAt(subresources, 'status') !== undefined;
}

function isUnchanged(view: DefinitionView, version: VersionView | undefined, oldView: DefinitionView): boolean {
  const before = oldView.versions.find(({ name }) => name === version?.name);
  if (version === undefined || before === undefined) return false;
  return isEqualJson(versionSchema(view, version), versionSchema(oldView, before));
}

function storedRules(view: DefinitionView): ReadonlySet<string> {
  const found = new Set<string>();
  for (const version of view.versions) {
    const schema = versionSchema(view, version);
    if (schema === undefined) continue;
    hasSchema(schema, (one) => {
      for (const rule of recordsAt(one, 'x-kubernetes-validations')) {
        found.add(textAt(rule, 'rule')).add(textAt(rule, 'messageExpression'));
      }
      return false;
    });
  }
  return found;
}

function hasDefaults(view: DefinitionView): boolean {
  return view.versions.some((version) => {
    const schema = versionSchema(view, version);
    return schema !== undefined && hasSchema(schema, (one) => (one['default'] ?? undefined) !== undefined);
  });
}

function groupProblems(group: string): readonly FieldError[] {
  if (group === '') return [fieldRequired('spec.group')];
  const complaints = checkDnsSubdomain(group);
  if (complaints.length > 0) return [fieldInvalid('spec.group', group, complaints.join(','))];
  return group.includes('.') ? [] : [fieldInvalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeProblems(scope: string): readonly FieldError[] {
  if (scope === '') return [fieldRequired('spec.scope')];
  const known = ['Cluster', 'Namespaced'];
  return known.includes(scope) ? [] : [fieldNotSupported('spec.scope', scope, known)];
}

function missingSchemas(view: DefinitionView, { allowsNoSchema }: DefinitionTolerance): readonly FieldError[] {
  if (allowsNoSchema && view.preservesUnknown) return [];
  const detail = allowsNoSchema ? 'because otherwise all fields are pruned' : '';
  return view.versions.flatMap((version, index) => {
    if (versionSchema(view, version) !== undefined || (allowsNoSchema && !version.isServed)) return [];
    return [fieldRequired(`${indexPath('spec.versions', index)}.schema.openAPIV3Schema`, detail)];
  });
}

function versionListProblems({ versions }: DefinitionView): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(fieldInvalid('spec.versions', dumpVersions(versions), 'must contain unique version names'));
  }
  if (versions.filter(({ isStorage }) => isStorage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(fieldInvalid('spec.versions', dumpVersions(versions), detail));
  }
  // kube-apiserver has the first version a second time, as `spec.version`.
  const first = versions[0]?.name ?? '';
  const complaints = first === '' ? [] : checkDns1035Label(first);
  if (complaints.length > 0) errors.push(fieldInvalid('spec.version', first, complaints.join(',')));
  return errors;
}

function commonFieldProblems({ common }: DefinitionView, { manyFields }: DefinitionTolerance): readonly FieldError[] {
  const { selectableFields, schema } = common;
  if (selectableFields.length === 0) return [];
  const field = 'spec.selectableFields';
  if (schema === undefined) return [fieldInvalid(field, '', 'may only be set when validations.schema is included')];
  return selectableFieldProblems(
    selectableFields,
    recordAt(schema, 'openAPIV3Schema') ?? {},
    field,
    manyFields.has(''),
  );
}

function conversionTolerance({ old, isCaBundle = () => true }: DefinitionCheckOptions): {
  readonly allowsAnyVersion: boolean;
  readonly refusesCaBundle: (caBundle: string) => boolean;
} {
  if (old === undefined) return { allowsAnyVersion: false, refusesCaBundle: () => false };
  const before = definitionView(old).conversion;
  const bundle = caBundleOf(before);
  const allowsBundle = !isEstablished(old) || (bundle !== '' && !isCaBundle(bundle));
  return {
    allowsAnyVersion: hasUnknownVersionsOnly(before),
    refusesCaBundle: (caBundle) => !allowsBundle && !isCaBundle(caBundle),
  };
}

function changeProblems(view: DefinitionView, old: JsonRecord): readonly FieldError[] {
  const before = definitionView(old);
  const pairs: (readonly [string, string, string])[] = [
    ['spec.group', view.group, before.group],
    ['spec.names.plural', textAt(view.names, 'plural'), textAt(before.names, 'plural')],
  ];
  if (isEstablished(old)) {
    pairs.unshift(
      ['spec.scope', view.scope, before.scope],
      ['spec.names.kind', textAt(view.names, 'kind'), textAt(before.names, 'kind')],
    );
  }
  return pairs
    .filter(([, value, oldValue]) => value !== oldValue)
    .map(([field, value]) => fieldInvalid(field, value, 'field is immutable'));
}

function isEstablished(definition: JsonRecord): boolean {
  const conditions = recordsAt(recordAt(definition, 'status') ?? {}, 'conditions');
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function preserveProblems({ preservesUnknown }: DefinitionView, old: JsonRecord | undefined): readonly FieldError[] {
  if (!preservesUnknown || (old !== undefined && definitionView(old).preservesUnknown)) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldInvalid(childPath('spec', 'preserveUnknownFields'), true, detail)];
}
