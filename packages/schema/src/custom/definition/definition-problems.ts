/** What is wrong with a CustomResourceDefinition. Start here. */

import type { FieldError } from '@listwatch/api';
import type { JsonRecord } from '../../decode/json-record.ts';
import type { CustomRules } from '../custom-rules.ts';
import type { MetadataRules } from '../custom-schema.ts';
import type { Steps } from '../steps.ts';

/** How a definition is judged. */
export interface DefinitionCheckOptions {
  /** The definition that is there now: its faults are tolerated. Default: the definition is new. */
  readonly old?: JsonRecord;
  /** Default: rules are not checked. */
  readonly rules?: CustomRules;
  /** For the metadata of embedded objects in defaults. */
  readonly metadata?: MetadataRules;
  /** Is the CA bundle (base64) of PEM certificates? Asked once the definition is Established. Default: it is. */
  readonly isCaBundle?: (caBundle: string) => boolean;
}

/**
 * All that is wrong with `spec`, `status` and the approval annotation of a CustomResourceDefinition, in the order of
 * kube-apiserver; and with its name. The rest of its metadata is judged by the verbs.
 */
export function definitionProblems(
  _definition: JsonRecord,
  _options: DefinitionCheckOptions = {},
): Steps<readonly FieldError[]> {
  throw new Error('not yet');
}

/** What is wrong with an update of `/status` of a definition. */
export function definitionStatusProblems(_definition: JsonRecord): readonly FieldError[] {
  throw new Error('not yet');
}

/** The warnings of a write of a definition: formats that are not known. */
export function definitionWarnings(_definition: JsonRecord, _old?: JsonRecord): readonly string[] {
  throw new Error('not yet');
}
