/** APIService: the server of a group and version. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegment,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  quote,
} from '@listwatch/api';
import { extended, isRecord, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import { wholeSeconds } from '../../columns/whole-seconds.ts';
import { decodedSize } from '../../encoding/base64.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';
import { named, rangeText } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

/** The rules of APIService. */
export const apiService: KindRules = {
  columns: namedTable(
    [column('Service', 'The service of the cluster that serves it.'), column('Available', 'Whether it is served.')],
    (object) => {
      const { service } = recordOf(object['spec']);
      const place = isRecord(service) ? `${textOf(service['namespace'])}/${textOf(service['name'])}` : 'Local';
      return [place, availableCell(object['status'])];
    },
  ),
  applyDefaults: (object) => {
    const spec = recordOf(object['spec']);
    const { service } = spec;
    return isRecord(service)
      ? extended(object, { spec: extended(spec, { service: filled({ port: 443 }, service) }) })
      : object;
  },
  onCreate: (object, now) => {
    const isLocal = !isRecord(recordOf(object['spec'])['service']);
    return extended(object, { status: isLocal ? { conditions: [localAvailable(now)] } : {} });
  },
  validate: (object) => [...validate(object), ...validateStatus(object['status'])],
  checkName: pathSegmentName,
  strategy: { allowsUnconditionalUpdate: false },
};

/** The condition of an APIService that this server itself serves. `now` is in milliseconds. */
export function localAvailable(now: number): JsonRecord {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: wholeSeconds(now),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function validate(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const { name = '' } = object.metadata;
  const group = textOf(spec['group']);
  const version = textOf(spec['version']);
  const wanted = `${version}.${group}`;
  const isMisnamed = name !== '' && name !== wanted && checkPathSegment(name).length === 0;
  return [
    ...(isMisnamed
      ? [fieldInvalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${quote(wanted)}`)]
      : []),
    ...(group === '' && version !== 'v1'
      ? [fieldRequired('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : named(group, checkDnsSubdomain, 'spec.group')),
    ...checkDns1035Label(version).map((complaint) => fieldInvalid('spec.version', version, complaint)),
    ...validatePriority(numberOf(spec['groupPriorityMinimum']), 20_000, 'spec.groupPriorityMinimum'),
    ...validatePriority(numberOf(spec['versionPriority']), 1000, 'spec.versionPriority'),
    ...(isRecord(spec['service']) ? validateService(spec, spec['service']) : validateLocal(spec)),
  ];
}

function validatePriority(priority: number, max: number, field: string): Errors {
  const legal = priority > 0 && priority <= max;
  return legal ? [] : [fieldInvalid(field, priority, `must be positive and less than ${max}`)];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: JsonRecord): Errors {
  const bytes = decodedSize(textOf(caBundle));
  return [
    ...(bytes > 0
      ? [fieldInvalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(insecureSkipTLSVerify === true
      ? [fieldInvalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function validateService({ caBundle, insecureSkipTLSVerify }: JsonRecord, service: JsonRecord): Errors {
  const port = numberOf(service['port']);
  const detail = `port is not valid: ${rangeText(1, 65_535)}`;
  return [
    ...['namespace', 'name']
      .filter((part) => textOf(service[part]) === '')
      .map((part) => fieldRequired(`spec.service.${part}`)),
    ...(port < 1 || port > 65_535 ? [fieldInvalid('spec.service.port', port, detail)] : []),
    ...(insecureSkipTLSVerify === true && textOf(caBundle) !== ''
      ? [fieldInvalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

const STATUSES = ['True', 'False', 'Unknown'];

function validateStatus(status: unknown): Errors {
  return itemErrors(recordsOf(recordOf(status)['conditions']), (condition, index) => {
    const text = textOf(condition['status']);
    return STATUSES.includes(text) ? [] : [fieldNotSupported(`status.conditions[${index}].status`, text, STATUSES)];
  });
}

function availableCell(value: unknown): string {
  const condition = recordsOf(recordOf(value)['conditions']).find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  const status = textOf(condition['status']);
  const reason = textOf(condition['reason']);
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
