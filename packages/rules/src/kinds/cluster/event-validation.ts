/** Validates events. The group events.k8s.io is stricter than the core group. */

import { checkDnsSubdomain, checkQualifiedName, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { isLongerThan } from '@listwatch/api/internal';
import { numberOf, recordOf, textOf } from '@listwatch/api/values';
import { immutable } from '../../validation/immutable-field.ts';
import { type EventView, isSet } from './event-view.ts';

/** The rules for every event. `controllerField` is how the group calls the reporting controller. */
export function validateEvent(event: EventView, controllerField: string): readonly FieldError[] {
  return [
    ...(isSet(event.eventTime) ? validateNewEvent(event, controllerField) : validateOldEvent(event)),
    ...checkDnsSubdomain(event.namespace).map((complaint) => fieldInvalid('namespace', event.namespace, complaint)),
  ];
}

/** The rules of events.k8s.io for a new event. */
export function validateStrictEvent(event: EventView): readonly FieldError[] {
  const { source } = event;
  const sourced = textOf(source['component']) !== '' || textOf(source['host']) !== '';
  return [
    ...validateSeries(event.series),
    ...(isSet(event.eventTime) ? [] : [fieldRequired('eventTime')]),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [fieldInvalid('type', '', `has invalid value: ${event.type}`)]),
    ...unset('firstTimestamp', isSet(event.firstTimestamp)),
    ...unset('lastTimestamp', isSet(event.lastTimestamp)),
    ...unset('count', event.count !== 0),
    ...unset('source', sourced),
  ];
}

/** The rules of events.k8s.io for a change: only the series grows. */
export function validateStrictEventChange(event: EventView, old: EventView): readonly FieldError[] {
  return [...validateSeries(event.series), ...FIXED.flatMap((field) => immutable(field, event[field], old[field]))];
}

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
] as const;

function validateOldEvent(event: EventView): readonly FieldError[] {
  const about = textOf(event.involvedObject['namespace']);
  const fits = about === '' ? ['', 'default'].includes(event.namespace) : about === event.namespace;
  return fits ? [] : [otherNamespace(about)];
}

function validateNewEvent(event: EventView, controllerField: string): readonly FieldError[] {
  const about = textOf(event.involvedObject['namespace']);
  const controller = event.reportingController;
  return [
    ...(about === '' && !['default', 'kube-system'].includes(event.namespace) ? [otherNamespace(about)] : []),
    ...required(controllerField, controller),
    ...checkQualifiedName(controller).map((complaint) => fieldInvalid(controllerField, controller, complaint)),
    ...required('reportingInstance', event.reportingInstance),
    ...bounded('reportingInstance', event.reportingInstance, 128),
    ...required('action', event.action),
    ...bounded('action', event.action, 128),
    ...required('reason', event.reason),
    ...bounded('reason', event.reason, 128),
    ...bounded('message', event.message, 1024),
  ];
}

function required(field: string, value: string): readonly FieldError[] {
  return value === '' ? [fieldRequired(field)] : [];
}

function bounded(field: string, value: string, max: number): readonly FieldError[] {
  return isLongerThan(value, max) ? [fieldInvalid(field, '', `can have at most ${max} characters`)] : [];
}

function unset(field: string, set: boolean): readonly FieldError[] {
  return set ? [fieldInvalid(field, '', 'needs to be unset')] : [];
}

function validateSeries(series: unknown): readonly FieldError[] {
  if (!isSet(series)) return [];
  const { count, lastObservedTime } = recordOf(series);
  return [
    ...(numberOf(count) < 2 ? [fieldInvalid('series.count', '', 'should be at least 2')] : []),
    ...(isSet(lastObservedTime) ? [] : [fieldRequired('series.lastObservedTime')]),
  ];
}

function otherNamespace(about: string): FieldError {
  return fieldInvalid('involvedObject.namespace', about, 'does not match event.namespace');
}
