/** The resources of a pod as a whole: requests and limits in `spec.resources`. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, listOf, quantityOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { containerAmounts, isOfPods } from '../../usage/pod-resources.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { allowsOvercommit, validateResourceName } from '../../validation/resource-names.ts';
import { validateContainerClaims } from './pod-claim-rules.ts';
import { validateResourceRequirements } from './resource-requirements.ts';

type Errors = readonly FieldError[];

/**
 * Sets the defaults of the pod-level resources. Limits of huge pages default to the sum of the containers; requests
 * default to the sum of the containers, else to the limits. The containers must already have their defaults.
 */
export function defaultPodAmounts(spec: JsonRecord): JsonRecord {
  const resources = recordOf(spec['resources']);
  const sent = recordOf(resources['requests']);
  if (isEmpty(recordOf(resources['limits'])) && isEmpty(sent)) return spec;
  const limits = { ...recordOf(resources['limits']) };
  for (const [name, amount] of containerAmounts(spec, 'limits', { isCounted: isHugePages })) {
    if (!Object.hasOwn(sent, name)) limits[name] ??= String(amount);
  }
  if (isEmpty(limits)) return spec;
  const requests = { ...sent };
  for (const [name, amount] of containerAmounts(spec, 'requests', { isCounted: isOfPods })) {
    if (allowsOvercommit(name)) requests[name] ??= String(amount);
  }
  for (const [name, amount] of Object.entries(limits)) if (isOfPods(name)) requests[name] ??= amount;
  return { ...spec, resources: { ...resources, limits, ...(isEmpty(requests) ? {} : { requests }) } };
}

/** The rules for them; `claims` are the names of the claims of the pod. */
export function validatePodAmounts(spec: JsonRecord, claims: ReadonlySet<string>, field: string): Errors {
  if (spec['resources'] === undefined) return [];
  const place = `${field}.resources`;
  if (textOf(recordOf(spec['os'])['name']) === 'windows') {
    return [fieldForbidden(place, 'may not be set for a windows pod')];
  }
  const resources = recordOf(spec['resources']);
  const why = 'claims may not be set for Resources at pod-level';
  return [
    ...(listOf(resources['claims']).length > 0 ? [fieldForbidden(`${place}.claims`, why)] : []),
    ...validateResourceRequirements(resources, place, validatePodResource),
    ...validateContainerClaims(spec, claims, field),
    ...coversContainers(spec, resources, place),
    ...boundsContainers(spec, recordOf(resources['limits']), place),
  ];
}

function validatePodResource(name: string, field: string): Errors {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || isOfPods(name)) return errors;
  return [fieldNotSupported(field, name, ['cpu', 'hugepages-', 'memory'])];
}

/** Pod-level requests must cover the sum of the containers. For huge pages, which are not shared, limits must too. */
function coversContainers(spec: JsonRecord, resources: JsonRecord, field: string): Errors {
  return (['requests', 'limits'] as const).flatMap((kind) => {
    const own = recordOf(resources[kind]);
    const isCounted = (name: string): boolean => own[name] !== undefined && (kind === 'requests' || isHugePages(name));
    return itemErrors([...containerAmounts(spec, kind, { isCounted })], ([name, total]) => {
      if (quantityOf(own[name]).compare(total) >= 0) return [];
      const why = `must be greater than or equal to aggregate container ${kind} of ${String(total)}`;
      return [fieldInvalid(`${field}.${kind}[${name}]`, textOf(own[name]), why)];
    });
  });
}

function boundsContainers(spec: JsonRecord, limits: JsonRecord, field: string): Errors {
  if (isEmpty(limits)) return [];
  return itemErrors(recordsOf(spec['containers']), ({ resources }, index) =>
    itemErrors(Object.entries(recordOf(recordOf(resources)['limits'])), ([name, amount]) => {
      const limit = limits[name];
      if (limit === undefined || quantityOf(amount).compare(quantityOf(limit)) <= 0) return [];
      const why = `must be less than or equal to pod limits of ${textOf(limit)}`;
      return [fieldInvalid(`${field}.containers[${index}][${name}].limits`, textOf(amount), why)];
    }),
  );
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isEmpty(record: JsonRecord): boolean {
  return Object.keys(record).length === 0;
}
