/** `semver`, `isSemver` and the parts and order of versions. */

import {
  compareSemanticVersions,
  parseLooseVersion,
  parseVersion,
  type SemanticVersion,
  VersionProblem,
} from '../parsing/semantic-version.ts';
import type { CallContext, CelLibrary } from '../standard/cel-library.ts';
import { BOOL, type CelType, INT, opaqueType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { type CelOpaque, type CelResult, type CelValue, intValue } from '../values/cel-value.ts';
import { functions, method, plainOverload } from './declare.ts';
import { NOMINAL, READ_TEXT } from './library-cost.ts';

/** The type of versions. */
export const SEMVER_TYPE: CelType = opaqueType('kubernetes.Semver');

const V = SEMVER_TYPE;

/** A semantic version. */
export class SemverValue implements CelOpaque {
  readonly opaqueType: CelType = SEMVER_TYPE;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    this.version = version;
  }

  equals(other: CelValue): boolean {
    return other instanceof SemverValue && compareSemanticVersions(this.version, other.version) === 0;
  }
}

/** The library of versions. */
export const semverLibrary: CelLibrary = {
  name: 'kubernetes.Semver',
  functions: functions({
    semver: [
      plainOverload(
        'string_to_semver',
        [STRING],
        V,
        (text: string, context: CallContext) => toSemver(text, false, context),
        READ_TEXT,
      ),
      plainOverload('string_bool_to_semver', [STRING, BOOL], V, toSemver, READ_TEXT),
    ],
    isSemver: [
      plainOverload(
        'is_semver_string',
        [STRING],
        BOOL,
        (text: string, context: CallContext) => isSemver(text, false, context),
        READ_TEXT,
      ),
      plainOverload('is_semver_string_bool', [STRING, BOOL], BOOL, isSemver, READ_TEXT),
    ],
    isGreaterThan: [
      method('semver_is_greater_than', [V, V], BOOL, (a: SemverValue, b: SemverValue) => compare(a, b) === 1, NOMINAL),
    ],
    isLessThan: [
      method('semver_is_less_than', [V, V], BOOL, (a: SemverValue, b: SemverValue) => compare(a, b) === -1, NOMINAL),
    ],
    compareTo: [method('semver_compare_to', [V, V], INT, compare, NOMINAL)],
    major: [method('semver_major', [V], INT, ({ version }: SemverValue) => int64(version.major), NOMINAL)],
    minor: [method('semver_minor', [V], INT, ({ version }: SemverValue) => int64(version.minor), NOMINAL)],
    patch: [method('semver_patch', [V], INT, ({ version }: SemverValue) => int64(version.patch), NOMINAL)],
  }),
};

function parse(text: string, isLoose: boolean, context: CallContext): SemanticVersion | VersionProblem {
  // A part of a version may be one character long: more work than a text of that length is.
  context.work(4 * text.length);
  return isLoose ? parseLooseVersion(text) : parseVersion(text);
}

function toSemver(text: string, isLoose: boolean, context: CallContext): CelResult {
  const version = parse(text, isLoose, context);
  return version instanceof VersionProblem ? new CelError(version.message) : new SemverValue(version);
}

function isSemver(text: string, isLoose: boolean, context: CallContext): boolean {
  return !(parse(text, isLoose, context) instanceof VersionProblem);
}

function compare(left: SemverValue, right: SemverValue): number {
  return compareSemanticVersions(left.version, right.version);
}

/** Go converts a uint64 to an int64 by its bits. */
function int64(value: bigint): CelResult {
  return intValue(BigInt.asIntN(64, value)) ?? 0;
}
