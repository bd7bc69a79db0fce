/** The rules for the metrics of a HorizontalPodAutoscaler, in the words of autoscaling/v2. */

import {
  checkDnsLabel,
  checkPathSegment,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { isJsonNumber, type JsonRecord, quantitySign, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateContainerResource } from '../../validation/resource-names.ts';
import { validateScaledReference } from './scaled-reference.ts';

type Errors = readonly FieldError[];

/** The types of metrics, each with its field and the check of that field. */
const CHECKS: Readonly<
  Record<string, readonly [member: string, check: (source: JsonRecord, field: string) => Errors]>
> = {
  Object: ['object', validateObject],
  External: ['external', validateExternal],
  Pods: ['pods', validatePods],
  Resource: ['resource', validateResource],
  ContainerResource: ['containerResource', validateContainer],
};

const TYPES = Object.keys(CHECKS).toSorted();

/** Checks all metrics. */
export function validateMetrics(value: unknown, field: string): Errors {
  return itemErrors(recordsOf(value), (metric, index) => validateMetric(metric, `${field}[${index}]`));
}

function validateMetric(metric: JsonRecord, field: string): Errors {
  const type = textOf(metric['type']);
  const member = CHECKS[type]?.[0];
  const present = Object.values(CHECKS).filter(([name]) => metric[name] !== undefined);
  const [first] = present;
  const several = present.length === 1 ? [] : present.filter(([name]) => name !== member);
  return [
    ...(type === '' ? [fieldRequired(`${field}.type`, 'must specify a metric source type')] : []),
    ...(member === undefined ? [fieldNotSupported(`${field}.type`, type, TYPES)] : []),
    ...(first === undefined ? [] : first[1](recordOf(metric[first[0]]), `${field}.${first[0]}`)),
    ...(member !== undefined && metric[member] === undefined
      ? [fieldRequired(`${field}.${member}`, 'must populate information for the given metric source')]
      : []),
    ...several.map(([name]) => fieldForbidden(`${field}.${name}`, 'must populate the given metric source only')),
  ];
}

function validateObject(source: JsonRecord, field: string): Errors {
  const { value, averageValue } = recordOf(source['target']);
  return [
    ...validateScaledReference(recordOf(source['describedObject']), `${field}.describedObject`, 'any'),
    ...validateIdentifier(source['metric'], `${field}.metric`),
    ...validateTarget(source['target'], `${field}.target`),
    ...oneNeeded(
      [value, averageValue],
      `${field}.target.averageValue`,
      'must set either a target value or averageValue',
    ),
  ];
}

function validateExternal(source: JsonRecord, field: string): Errors {
  const { value, averageValue } = recordOf(source['target']);
  const either = 'must set either a target value for metric or a per-pod target';
  const both = 'may not set both a target value for metric and a per-pod target';
  return [
    ...validateIdentifier(source['metric'], `${field}.metric`),
    ...validateTarget(source['target'], `${field}.target`),
    ...oneNeeded([value, averageValue], `${field}.target.averageValue`, either),
    ...notBoth(value, averageValue, `${field}.target.value`, both),
  ];
}

function validatePods(source: JsonRecord, field: string): Errors {
  const { averageValue } = recordOf(source['target']);
  return [
    ...validateIdentifier(source['metric'], `${field}.metric`),
    ...validateTarget(source['target'], `${field}.target`),
    ...oneNeeded([averageValue], `${field}.target.averageValue`, 'must specify a positive target averageValue'),
  ];
}

function validateResource(source: JsonRecord, field: string): Errors {
  return [...resourceName(source, field), ...validateUse(source, field)];
}

function validateContainer(source: JsonRecord, field: string): Errors {
  const name = textOf(source['name']);
  const container = textOf(source['container']);
  return [
    ...resourceName(source, field),
    ...(name === '' ? [] : validateContainerResource(name, `${field}.name`)),
    ...(container === ''
      ? [fieldRequired(`${field}.container`, 'must specify a container')]
      : checkDnsLabel(container).map((complaint) => fieldInvalid(`${field}.container`, container, complaint))),
    ...validateUse(source, field),
  ];
}

function resourceName({ name }: JsonRecord, field: string): Errors {
  return textOf(name) === '' ? [fieldRequired(`${field}.name`, 'must specify a resource name')] : [];
}

function validateUse({ target }: JsonRecord, field: string): Errors {
  const { averageUtilization, averageValue } = recordOf(target);
  const either = 'must set either a target raw value or a target utilization';
  const both = 'may not set both a target raw value and a target utilization';
  return [
    ...validateTarget(target, `${field}.target`),
    ...oneNeeded([averageUtilization, averageValue], `${field}.target.averageUtilization`, either),
    ...notBoth(averageUtilization, averageValue, `${field}.target.averageValue`, both),
  ];
}

function oneNeeded(values: readonly unknown[], field: string, detail: string): Errors {
  return values.every((value) => value === undefined) ? [fieldRequired(field, detail)] : [];
}

function notBoth(one: unknown, other: unknown, field: string, detail: string): Errors {
  return one === undefined || other === undefined ? [] : [fieldForbidden(field, detail)];
}

function validateTarget(value: unknown, field: string): Errors {
  const target = recordOf(value);
  const type = textOf(target['type']);
  const { averageUtilization: use } = target;
  const known = ['Utilization', 'Value', 'AverageValue'].includes(type);
  const positive = (name: string): Errors =>
    target[name] !== undefined && quantitySign(target[name]) <= 0
      ? [fieldInvalid(`${field}.${name}`, target[name], 'must be positive')]
      : [];
  return [
    ...(type === '' ? [fieldRequired(`${field}.type`, 'must specify a metric target type')] : []),
    ...(known ? [] : [fieldInvalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive('value'),
    ...positive('averageValue'),
    ...(isJsonNumber(use) && use < 1
      ? [fieldInvalid(`${field}.averageUtilization`, use, 'must be greater than 0')]
      : []),
  ];
}

function validateIdentifier(value: unknown, field: string): Errors {
  const name = textOf(recordOf(value)['name']);
  if (name === '') return [fieldRequired(`${field}.name`, 'must specify a metric name')];
  return checkPathSegment(name).map((complaint) => fieldInvalid(`${field}.name`, name, complaint));
}
