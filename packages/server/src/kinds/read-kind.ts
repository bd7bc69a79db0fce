/** A kind as lists and watches see it: without its rules. */

import type { KindDefinition } from '@listwatch/rules/internal';
import type { StoredForm } from '../stored/stored-form.ts';
import type { CustomParts } from './resource-definition.ts';

/** What a server needs to serve reads of a kind that another server writes. */
export interface ReadKind
  extends Pick<
    KindDefinition,
    | 'columns'
    | 'convert'
    | 'data'
    | 'emptyFields'
    | 'fieldsOf'
    | 'resolveField'
    | 'resource'
    | 'storagePrefix'
    | 'subresources'
  > {
  /** Objects with a lifetime do not concern the garbage collector. */
  readonly strategy?: Pick<KindDefinition['strategy'], 'ttlSeconds'> | undefined;
  /** How its objects are stored, where that differs from how they are served (custom kinds). */
  readonly form?: StoredForm | undefined;
  /** The parts that only custom kinds have. */
  readonly custom?: Pick<CustomParts, 'listKind' | 'since'> | undefined;
}
