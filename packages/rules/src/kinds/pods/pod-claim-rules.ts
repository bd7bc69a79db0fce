/** The rules for the devices that a pod claims, and that its containers use. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, requiredLabel } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** The names of the claims of a pod. */
export function claimNames(spec: JsonRecord): ReadonlySet<string> {
  const names = recordsOf(spec['resourceClaims']).map(({ name }) => textOf(name));
  return new Set(names.filter((name) => name !== ''));
}

/** Checks `resourceClaims` of a pod. */
export function validatePodClaims(value: unknown, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (claim, index) => {
    const place = `${field}[${index}]`;
    const name = textOf(claim['name']);
    const isTwice = name !== '' && seen.has(name);
    seen.add(name);
    const { resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    const both = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    const none = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    // As Go prints the struct.
    const shown = { Name: name, ResourceClaimName: own ?? null, ResourceClaimTemplateName: template ?? null };
    return [
      ...(isTwice ? [fieldDuplicate(`${place}.name`, name)] : requiredLabel(name, `${place}.name`)),
      ...(own !== undefined && template !== undefined ? [fieldInvalid(place, shown, both)] : []),
      ...(own === undefined && template === undefined ? [fieldInvalid(place, shown, none)] : []),
      ...claimNameErrors(own, `${place}.resourceClaimName`),
      ...claimNameErrors(template, `${place}.resourceClaimTemplateName`),
    ];
  });
}

function claimNameErrors(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const name = textOf(value);
  return checkDnsSubdomain(name).map((complaint) => fieldInvalid(field, name, complaint));
}

/** Checks `resources.claims` of a container against the claims of its pod. */
export function validateContainerClaims(container: JsonRecord, known: ReadonlySet<string>, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(recordOf(container['resources'])['claims']), ({ name: given, request }, index) => {
    const place = `${field}.resources.claims[${index}]`;
    const name = textOf(given);
    if (name === '') return [fieldRequired(place)];
    const key = textOf(request) === '' ? name : `${name}/${textOf(request)}`;
    // A claim without a request name stands for all its requests.
    const isWhole = seen.has(name);
    const isTwice = isWhole || seen.has(key) || (key === name && seen.has(`${name}/`));
    seen.add(key);
    if (key !== name) seen.add(`${name}/`);
    const names = known.size === 0 ? ' which is empty' : `: ${[...known].toSorted().join(', ')}`;
    return [
      ...(isWhole || key === name ? [] : named(request, checkDnsLabel, `${place}.request`)),
      ...(isTwice ? [fieldDuplicate(place, isWhole ? name : key)] : []),
      ...(known.has(name)
        ? []
        : [missingClaim(place, name, `must be one of the names in pod.spec.resourceClaims${names}`)]),
    ];
  });
}

function missingClaim(field: string, name: string, why: string): FieldError {
  return { ...fieldNotFound(field, name), detail: why };
}
