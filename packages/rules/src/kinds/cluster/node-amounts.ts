/** The rules for the addresses and the amounts of a Node. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { checkAddressRange, legacyRange } from '../../validation/ip-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateAmountOf } from '../../validation/resource-names.ts';

type Errors = readonly FieldError[];

/** Checks `podCIDRs` of a node: one range of each family. */
export function validatePodRanges(spec: JsonRecord): Errors {
  const ranges = listOf(spec['podCIDRs']).map(textOf);
  const errors = itemErrors(ranges, (range, index) =>
    checkAddressRange(range).map((why) => fieldInvalid(`spec.podCIDRs[${index}]`, range, why)),
  );
  const families = new Set(ranges.map((range) => legacyRange(range)?.bits));
  const isTooMany = errors.length === 0 && ranges.length > families.size;
  const why = 'may specify no more than one CIDR for each IP family';
  return [...errors, ...(isTooMany ? [fieldInvalid('spec.podCIDRs', ranges, why)] : [])];
}

/** Checks the capacity of a node: no negative amounts, and whole numbers for things that are counted. */
export function validateNodeAmounts(status: JsonRecord): Errors {
  return ['capacity', 'allocatable'].flatMap((kind) =>
    itemErrors(Object.entries(recordOf(status[kind])), ([name, amount]) =>
      validateAmountOf(name, amount, `status.${kind}.${name}`),
    ),
  );
}
