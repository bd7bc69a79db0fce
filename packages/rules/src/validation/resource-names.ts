/** Names and amounts of resources (`cpu`, `requests.memory`, `example.com/gpu`) in quotas, limits and containers. */

import { checkQualifiedName, type FieldError, fieldInvalid } from '@listwatch/api';
import { Quantity } from '@listwatch/api/values';
import { NOT_NEGATIVE } from './count-rules.ts';

type Errors = readonly FieldError[];

const CONTAINER: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/** The resource names in a quota that count objects. */
const COUNTED: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const QUOTA: ReadonlySet<string> = new Set([
  ...CONTAINER,
  ...CONTAINER.map((name) => `requests.${name}`),
  ...CONTAINER.map((name) => `limits.${name}`),
  'requests.storage',
  ...COUNTED,
]);

/** Checks the name of a resource. */
export function validateResourceName(name: string, field: string): Errors {
  const complaints = checkQualifiedName(name);
  if (complaints.length > 0) return complaints.map((complaint) => fieldInvalid(field, name, complaint));
  if (name.includes('/') || isQuotaName(name) || name === 'storage') return [];
  return [fieldInvalid(field, name, 'must be a standard resource type or fully qualified')];
}

/** Checks the name of a resource that containers use. */
export function validateContainerResource(name: string, field: string): Errors {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    if (CONTAINER.includes(name) || isHugePages(name)) return errors;
    return [...errors, fieldInvalid(field, name, 'must be a standard resource for containers')];
  }
  if (isNative(name) || isExtendedResource(name)) return errors;
  return [...errors, fieldInvalid(field, name, "doesn't follow extended resource name standard")];
}

/** Checks the name of a resource in a quota. */
export function validateQuotaResource(name: string, field: string): Errors {
  const errors = validateResourceName(name, field);
  if (name.includes('/') || isQuotaName(name)) return errors;
  return [...errors, fieldInvalid(field, name, 'must be a standard resource for quota')];
}

/** Is it a quota resource without a prefix? */
export function isQuotaName(name: string): boolean {
  return QUOTA.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

/** Checks an amount of a resource: not negative, and an integer for countable resources. */
export function validateAmountOf(name: string, amount: unknown, field: string): Errors {
  const quantity = Quantity.from(amount);
  const isCounted = COUNTED.includes(name) || isExtendedResource(name);
  // Kubernetes checks fractions down to thousandths only.
  const fraction = isCounted && (quantity === undefined || quantity.value(-3) % 1000n !== 0n);
  return [
    ...(quantity?.sign === -1 ? [fieldInvalid(field, amount, NOT_NEGATIVE)] : []),
    ...(fraction ? [fieldInvalid(field, amount, 'must be an integer')] : []),
  ];
}

/** May requests and limits differ? Devices and huge pages cannot be shared. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Is it an extended resource, such as `example.com/gpu`? */
export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && checkQualifiedName(`requests.${name}`).length === 0;
}
