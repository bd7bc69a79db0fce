/** Requests and limits of containers. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from '@listwatch/api';
import { compareQuantities, type JsonRecord, Quantity, recordOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { allowsOvercommit, validateAmountOf, validateContainerResource } from '../../validation/resource-names.ts';

type Errors = readonly FieldError[];

type NameCheck = (name: string, field: string) => Errors;

const HUGE_PAGES = 'hugepages-';

/** The rules for the resources of a container or a pod at `field`; `checkName` checks the resource names. */
export function validateResourceRequirements(
  resources: JsonRecord,
  field: string,
  checkName: NameCheck = validateContainerResource,
): Errors {
  const { limits, requests } = resources;
  if (limits === undefined && requests === undefined) return [];
  const names = [...Object.keys(recordOf(limits)), ...Object.keys(recordOf(requests))];
  const onlyPages = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
  return [
    ...itemErrors(Object.entries(recordOf(limits)), ([name, amount]) =>
      validateOne(name, amount, `${field}.limits[${name}]`, checkName),
    ),
    ...itemErrors(Object.entries(recordOf(requests)), ([name, amount]) => [
      ...validateOne(name, amount, `${field}.requests[${name}]`, checkName),
      ...validateRequest(name, amount, recordOf(limits)[name], field),
    ]),
    ...(onlyPages ? [fieldForbidden(field, 'HugePages require cpu or memory')] : []),
  ];
}

function validateOne(name: string, amount: unknown, field: string, checkName: NameCheck): Errors {
  return [
    ...checkName(name, field),
    ...validateAmountOf(name, amount, field),
    ...(isHugePages(name) ? validatePages(name, amount, field) : []),
  ];
}

/** A request must not exceed its limit. It must equal the limit for resources that cannot be shared. */
function validateRequest(name: string, amount: unknown, limit: unknown, field: string): Errors {
  const exact = !allowsOvercommit(name);
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources';
    return exact ? [fieldRequired(`${field}.limits`, why)] : [];
  }
  const place = `${field}.requests`;
  const of = `${name} limit of ${textOf(limit)}`;
  const order = compareQuantities(amount, limit);
  if (exact && order !== 0) return [fieldInvalid(place, amount, `must be equal to ${of}`)];
  return order > 0 ? [fieldInvalid(place, amount, `must be less than or equal to ${of}`)] : [];
}

function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

function validatePages(name: string, amount: unknown, field: string): Errors {
  const size = Quantity.from(name.slice(HUGE_PAGES.length));
  const bytes = Quantity.from(amount)?.value() ?? 0n;
  if (size?.isWhole === true && size.sign > 0 && bytes % size.value() === 0n) return [];
  return [fieldInvalid(field, amount, `${textOf(amount)} is not positive integer multiple of ${name}`)];
}
