/** What is wrong with an object of a custom kind, by its schema. */

import type { FieldError } from '@listwatch/api';
import type { JsonRecord } from '../decode/json-record.ts';
import type { CustomRules } from './custom-rules.ts';
import type { CustomSchema } from './custom-schema.ts';
import { finish, type Steps } from './steps.ts';

/** `subresources.scale` of a version. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** How an object is judged. */
export interface CustomValidationOptions {
  /** The object that is there now: unchanged values are not judged again. Default: the object is new. */
  readonly old?: JsonRecord;
  /** A write of `/status`: only `status` is judged by the schema, and all rules. Default: a write of the object. */
  readonly isStatus?: boolean;
  readonly scale?: ScalePaths;
  /** Evaluates the rules of the schema. Default: they are not evaluated. */
  readonly rules?: CustomRules;
}

/** What is wrong with an object. */
export interface CustomVerdict {
  /** In the order of kube-apiserver. Its metadata is not judged: the verbs do that. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Judges an object at once. Large objects: {@link validationSteps}. */
export function validateObject(
  schema: CustomSchema,
  object: JsonRecord,
  options: CustomValidationOptions = {},
): CustomVerdict {
  return finish(validationSteps(schema, object, options));
}

/** Judges an object in steps of a few milliseconds. */
export function validationSteps(
  _schema: CustomSchema,
  _object: JsonRecord,
  _options: CustomValidationOptions = {},
): Steps<CustomVerdict> {
  throw new Error('not yet');
}
