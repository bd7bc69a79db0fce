/** How objects of a custom kind are prepared and validated. */

import { sameJson } from '@listwatch/api/values';
import {
  canonicalCustom,
  type KubeObject,
  keepStatus,
  type ResourceStrategy,
  subdomainName,
  withoutStatus,
} from '@listwatch/rules/internal';
import { type CustomRules, type CustomSchema, defaultObject, validateObject } from '@listwatch/schema';
import type { CustomVersion } from './custom-definition.ts';

/** The parts that a strategy needs besides the version. */
export interface CustomStrategyParts {
  readonly schema: CustomSchema;
  readonly rules: CustomRules | undefined;
  readonly isTerminating: () => boolean;
  /** Validation runs where work that takes too long is ended. */
  readonly hasDeadline: boolean;
}

const TERMINATING = 'create not allowed while custom resource definition is terminating';

/** The strategy of a version. Its input is already pruned and has its defaults: see `decodeCustomBody`. */
export function customStrategy(version: CustomVersion, parts: CustomStrategyParts): ResourceStrategy {
  const { hasStatus, scale } = version;
  const { schema, rules, isTerminating, hasDeadline } = parts;
  return {
    canonical: (object) => canonicalCustom(object),
    withMetadata: (object, metadata) => canonicalCustom({ ...object, metadata }),
    // Only the result of an apply still lacks defaults; decoded bodies have them already.
    withDefaults: (object) => defaultObject(schema, object),
    prepareForCreate: hasStatus ? withoutStatus : same,
    prepareForUpdate: hasStatus ? keepStatus : same,
    prepareForStatusUpdate: hasStatus ? statusOf : undefined,
    validate: (object, old, subresource) =>
      validateObject(schema, object, {
        ...(old === undefined ? {} : { old }),
        ...(subresource === 'status' ? { isStatus: true } : {}),
        ...(scale === undefined ? {} : { scale }),
        ...(rules === undefined ? {} : { rules }),
        hasDeadline,
      }),
    raisesGeneration: (object, old) => changes(object, old, hasStatus ? WITHOUT_STATUS : WITH_STATUS),
    refusesCreation: () => (isTerminating() ? TERMINATING : undefined),
    plainFinalizers: 'warned',
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    returnsDeletedObject: false,
    checkName: subdomainName,
  };
}

/** A write of the status keeps everything else, metadata too. */
function statusOf(object: KubeObject, old: KubeObject): KubeObject {
  const { resourceVersion, managedFields } = object.metadata;
  const metadata = {
    ...old.metadata,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  const { status: _status, ...rest } = old;
  return { ...rest, metadata, ...(object['status'] === undefined ? {} : { status: object['status'] }) };
}

const WITH_STATUS: ReadonlySet<string> = new Set(['metadata']);
const WITHOUT_STATUS: ReadonlySet<string> = new Set(['metadata', 'status']);

function changes(object: KubeObject, old: KubeObject, notCounted: ReadonlySet<string>): boolean {
  return [...new Set([...Object.keys(object), ...Object.keys(old)])].some(
    (name) => !notCounted.has(name) && !sameJson(object[name], old[name]),
  );
}

function same(object: KubeObject): KubeObject {
  return object;
}
