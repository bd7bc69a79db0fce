/** A CustomResourceDefinition as kube-apiserver validates it: the parts that all versions share stand in one place. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { memoOf } from '../json-memo.ts';
import { isEqualJson } from '../object/equal-json.ts';

/** The parts of a version. All versions may share them. */
export interface VersionParts {
  /** `schema`: an object that may hold `openAPIV3Schema`. */
  readonly schema: JsonRecord | undefined;
  readonly subresources: JsonRecord | undefined;
  readonly columns: readonly JsonRecord[];
  readonly selectableFields: readonly JsonRecord[];
}

/** One of `spec.versions`. */
export interface VersionView extends VersionParts {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStorage: boolean;
  readonly isDeprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

/** A definition. */
export interface DefinitionView {
  readonly group: string;
  readonly scope: string;
  readonly names: JsonRecord;
  readonly preservesUnknown: boolean;
  readonly conversion: JsonRecord | undefined;
  /** The parts that are equal in all versions: kube-apiserver reports them as parts of `spec`. The versions lack them then. */
  readonly common: VersionParts;
  readonly versions: readonly VersionView[];
  readonly storedVersions: readonly string[] | undefined;
}

const NOTHING: VersionParts = { schema: undefined, subresources: undefined, columns: [], selectableFields: [] };

/** Reads a definition, once: to compare the schemas of ten versions takes a while. Absent parts and parts of another type are empty. */
export function definitionView(definition: JsonRecord): DefinitionView {
  const memo = memoOf(definition);
  memo.view ??= readDefinition(definition);
  return memo.view;
}

function readDefinition(definition: JsonRecord): DefinitionView {
  const spec = recordAt(definition, 'spec') ?? {};
  const versions = recordsAt(spec, 'versions').map(versionView);
  const common = commonParts(versions);
  const stored = recordAt(definition, 'status')?.['storedVersions'];
  return {
    group: textAt(spec, 'group'),
    scope: textAt(spec, 'scope'),
    names: recordAt(spec, 'names') ?? {},
    preservesUnknown: spec['preserveUnknownFields'] === true,
    conversion: recordAt(spec, 'conversion'),
    common: common.parts,
    versions: versions.map((version) => ({ ...version, ...common.cleared })),
    storedVersions: Array.isArray(stored) ? textsAt({ stored }, 'stored') : undefined,
  };
}

/** The schema of a version, wherever it stands. */
export function versionSchema(view: DefinitionView, version: VersionView): JsonRecord | undefined {
  const holder = version.schema ?? view.common.schema;
  return holder === undefined ? undefined : recordAt(holder, 'openAPIV3Schema');
}

function versionView(version: JsonRecord): VersionView {
  const warning = version['deprecationWarning'];
  return {
    name: textAt(version, 'name'),
    isServed: version['served'] === true,
    isStorage: version['storage'] === true,
    isDeprecated: version['deprecated'] === true,
    deprecationWarning: typeof warning === 'string' ? warning : undefined,
    schema: recordAt(version, 'schema'),
    subresources: recordAt(version, 'subresources'),
    columns: recordsAt(version, 'additionalPrinterColumns'),
    selectableFields: recordsAt(version, 'selectableFields'),
  };
}

function commonParts(versions: readonly VersionView[]): {
  readonly parts: VersionParts;
  readonly cleared: Partial<VersionParts>;
} {
  const [first] = versions;
  if (first === undefined) return { parts: NOTHING, cleared: {} };
  const isCommon = (part: keyof VersionParts): boolean =>
    versions.every((version) => isEqualJson(version[part], first[part]));
  const schema = isCommon('schema');
  const subresources = isCommon('subresources');
  const columns = isCommon('columns');
  const selectableFields = isCommon('selectableFields');
  return {
    parts: {
      schema: schema ? first.schema : undefined,
      subresources: subresources ? first.subresources : undefined,
      columns: columns ? first.columns : [],
      selectableFields: selectableFields ? first.selectableFields : [],
    },
    cleared: {
      ...(schema ? { schema: undefined } : {}),
      ...(subresources ? { subresources: undefined } : {}),
      ...(columns ? { columns: [] } : {}),
      ...(selectableFields ? { selectableFields: [] } : {}),
    },
  };
}

/** The object under a name. */
export function recordAt(record: JsonRecord, name: string): JsonRecord | undefined {
  const value = record[name];
  return isRecord(value) ? value : undefined;
}

/** The objects of the list under a name. */
export function recordsAt(record: JsonRecord, name: string): readonly JsonRecord[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The text under a name; `''` for none. */
export function textAt(record: JsonRecord, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

/** The texts of the list under a name. */
export function textsAt(record: JsonRecord, name: string): readonly string[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
