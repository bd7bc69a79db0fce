/** The status of a ResourceClaim: allocated devices, consumers, and reports of drivers. */

import {
  checkDnsLabel,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  utf8Length,
} from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { validateConditions } from '../../validation/condition-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { oneOf } from '../../validation/value-rules.ts';
import { validateNodeSelector } from '../pods/node-selector-rules.ts';
import { validateDriverName } from '../storage/storage-rules.ts';
import { validateDeviceConfiguration } from './device-claim-rules.ts';
import { limited, validateKeyedItems } from './device-lists.ts';
import { validateInterfaceAddress } from './interface-address.ts';
import { validatePoolName } from './pool-name.ts';
import { requestNames, validateReference, validateReferences } from './request-references.ts';
import { validateBinding } from './slice-device-rules.ts';

type Errors = readonly FieldError[];

const RESERVED_MAX = 256;
const RESULTS_MAX = 32;
const CONFIGURATIONS_MAX = 64;
const FIELD = 'status.allocation';

/** Checks a change of the status. */
export function validateDeviceClaimStatus(object: KubeObject, old: KubeObject): Errors {
  const status = recordOf(object['status']);
  const before = recordOf(old['status']);
  const names = requestNames(recordOf(recordOf(object['spec'])['devices']));
  const { allocation } = status;
  const reserved = recordsOf(status['reservedFor']);
  return [
    ...validateKeyedItems(reserved, { key: 'uid', max: RESERVED_MAX, field: 'status.reservedFor' }, (user, at) =>
      ['resource', 'name', 'uid']
        .filter((name) => textOf(user[name]) === '')
        .map((name) => fieldRequired(`${at}.${name}`)),
    ),
    ...validateDevices(recordsOf(status['devices']), allocatedDevices(status)),
    ...validateReserved(reserved, recordsOf(before['reservedFor']), object),
    ...(isRecord(allocation) && isRecord(before['allocation'])
      ? immutable(FIELD, allocation, before['allocation'])
      : []),
    ...(isRecord(allocation) && !isRecord(before['allocation']) ? validateAllocation(allocation, names) : []),
  ];
}

/** The devices that a claim has, by their identities. */
export function allocatedDevices(status: JsonRecord): ReadonlySet<string> {
  const { devices } = recordOf(status['allocation']);
  return new Set(recordsOf(recordOf(devices)['results']).map(deviceIdentity));
}

/** A key for a device, or for a share of a device. */
export function deviceIdentity({ driver, pool, device, shareID }: JsonRecord): string {
  return [driver, pool, device, shareID].map(textOf).join('|');
}

/** A claim that is being deleted gets no new consumers. */
function validateReserved(users: readonly JsonRecord[], before: readonly JsonRecord[], claim: KubeObject): Errors {
  if (users.length === 0) return [];
  const field = 'status.reservedFor';
  if (!isRecord(recordOf(claim['status'])['allocation'])) {
    return [fieldForbidden(field, 'may not be specified when `allocated` is not set')];
  }
  const isNew = (user: JsonRecord): boolean => !before.some((known) => sameJson(known, user));
  if (claim.metadata.deletionTimestamp === undefined || !users.some(isNew)) return [];
  const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [fieldForbidden(field, why)];
}

function validateAllocation(allocation: JsonRecord, names: ReadonlySet<string>): Errors {
  const { devices, nodeSelector } = allocation;
  const { results, config } = recordOf(devices);
  return [
    ...limited(recordsOf(results), RESULTS_MAX, `${FIELD}.devices.results`, (result, at) => [
      ...validateReference(textOf(result['request']), names, `${at}.request`),
      ...validateDriverName(result['driver'], `${at}.driver`),
      ...validatePoolName(textOf(result['pool']), `${at}.pool`),
      ...validateLabel(textOf(result['device']), `${at}.device`),
      ...validateBinding(result, at),
      ...validateShare(result['shareID'], `${at}.shareID`),
    ]),
    ...limited(recordsOf(config), CONFIGURATIONS_MAX, `${FIELD}.devices.config`, (one, at) => [
      ...oneOf(one['source'], ['FromClaim', 'FromClass'], `${at}.source`),
      ...validateReferences(one['requests'], names, `${at}.requests`),
      ...validateDeviceConfiguration(one, at),
    ]),
    ...(isRecord(nodeSelector) ? validateNodeSelector(nodeSelector, `${FIELD}.nodeSelector`) : []),
  ];
}

function validateLabel(name: string, field: string): Errors {
  return checkDnsLabel(name).map((complaint) => fieldInvalid(field, name, complaint));
}

const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function validateShare(value: unknown, field: string): Errors {
  if (typeof value !== 'string' || UID.test(value)) return [];
  const why =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return [
    fieldInvalid(field, value, UID.test(value.toLowerCase()) ? why : `error validating uid: ${lengthProblem(value)}`),
  ];
}

/** The message of Go's parser. */
function lengthProblem({ length }: string): string {
  return [32, 36, 38, 45].includes(length) ? 'invalid UUID format' : `invalid UUID length: ${length}`;
}

const CONDITIONS_MAX = 8;
const DATA_MAX = 10 * 1024;

function shown({ driver, pool, device, shareID }: JsonRecord): JsonRecord {
  return {
    Driver: textOf(driver),
    Pool: textOf(pool),
    Device: textOf(device),
    ShareID: textOf(shareID),
  };
}

function validateDevices(devices: readonly JsonRecord[], allocated: ReadonlySet<string>): Errors {
  const seen = new Set<string>();
  const wrong = itemErrors(devices, (device, index) => {
    const field = `status.devices[${index}]`;
    const conditions = recordsOf(device['conditions']);
    return [
      ...validateDriverName(device['driver'], `${field}.driver`),
      ...validatePoolName(textOf(device['pool']), `${field}.pool`),
      ...validateLabel(textOf(device['device']), `${field}.device`),
      ...validateShare(device['shareID'], `${field}.shareID`),
      ...(allocated.has(deviceIdentity(device))
        ? []
        : [fieldInvalid(field, shown(device), 'must be an allocated device in the claim')]),
      ...(conditions.length > CONDITIONS_MAX
        ? [fieldTooMany(`${field}.conditions`, conditions.length, CONDITIONS_MAX)]
        : []),
      ...validateConditions(conditions, `${field}.conditions`),
      ...validateData(device['data'], `${field}.data`),
      ...validateNetwork(recordOf(device['networkData']), `${field}.networkData`),
    ];
  });
  const repeated = itemErrors(devices, (device, index) => {
    const again = seen.has(deviceIdentity(device));
    seen.add(deviceIdentity(device));
    return again ? [fieldDuplicate(`status.devices[${index}]`, shown(device))] : [];
  });
  return [...wrong, ...repeated];
}

function validateData(data: unknown, field: string): Errors {
  if (data === undefined || data === null) return [];
  if (utf8Length(JSON.stringify(data)) > DATA_MAX) return [fieldTooLong(field, DATA_MAX)];
  return isRecord(data) ? [] : [fieldInvalid(field, '<value omitted>', 'must be a valid JSON object')];
}

const INTERFACE_MAX = 256;
const HARDWARE_MAX = 128;
const ADDRESSES_MAX = 16;

function validateNetwork({ interfaceName, hardwareAddress, ips }: JsonRecord, field: string): Errors {
  const addresses = listOf(ips).map(textOf);
  const tooLong = (value: unknown, max: number, name: string): Errors =>
    utf8Length(textOf(value)) > max ? [fieldTooLong(`${field}.${name}`, max)] : [];
  return [
    ...tooLong(interfaceName, INTERFACE_MAX, 'interfaceName'),
    ...tooLong(hardwareAddress, HARDWARE_MAX, 'hardwareAddress'),
    ...limited(addresses, ADDRESSES_MAX, `${field}.ips`, validateInterfaceAddress),
    ...itemErrors(addresses.slice(0, ADDRESSES_MAX), (address, index) =>
      addresses.indexOf(address) < index ? [fieldDuplicate(`${field}.ips[${index}]`, address)] : [],
    ),
  ];
}
