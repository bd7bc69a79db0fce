/** Access modes and volume modes, which volumes and claims share. */

import { checkDnsSubdomain, type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, listOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** The access modes in the order of tables, with their short names. */
const SHORT_MODES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

const MODES: readonly string[] = SHORT_MODES.map(([mode]) => mode).toSorted();
const ONE_POD = 'ReadWriteOncePod';

/** The default of `spec.volumeMode`. */
export const DEFAULT_VOLUME_MODE = 'Filesystem';

/** Checks the access modes of a volume or a claim. */
export function validateAccessModes(value: unknown, field: string): Errors {
  const modes = listOf(value).map(textOf);
  const known = modes.filter((mode) => MODES.includes(mode));
  const mixed = known.includes(ONE_POD) && known.some((mode) => mode !== ONE_POD);
  return [
    ...itemErrors(modes, (mode) => (MODES.includes(mode) ? [] : [fieldNotSupported(field, mode, MODES)])),
    ...(mixed ? [fieldForbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/** Checks `storageClassName` and `volumeMode` of a volume or a claim. */
export function validateClassAndMode({ storageClassName, volumeMode }: JsonRecord, field: string): Errors {
  const modes = ['Block', DEFAULT_VOLUME_MODE];
  const unknown = volumeMode !== undefined && !modes.includes(textOf(volumeMode));
  return [
    ...named(storageClassName, checkDnsSubdomain, `${field}.storageClassName`),
    ...(unknown ? [fieldNotSupported(`${field}.volumeMode`, volumeMode, modes)] : []),
  ];
}

/** Checks the name of a class, which must not be empty. */
export function validateClassName(value: string, field: string): Errors {
  return checkDnsSubdomain(value).map((complaint) => fieldInvalid(field, value, complaint));
}

/** Access modes as a cell of a table: `RWO,ROX`. */
export function accessModesCell(value: unknown): string {
  const modes = new Set(listOf(value));
  return SHORT_MODES.filter(([mode]) => modes.has(mode))
    .map(([, short]) => short)
    .join(',');
}
