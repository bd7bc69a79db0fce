/** Event of the core group: reports something that happened to an object. Kept for an hour. */

import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { pathSegmentName } from '../../validation/name-rules.ts';
import { toCoreEvent } from './event-conversion.ts';
import { validateEvent } from './event-validation.ts';
import { EVENT_TTL_SECONDS, eventFields, eventTable, eventViewBy, INVOLVED } from './event-view.ts';

const viewOf = eventViewBy((name) => name);

/** The rules of Event in the core group. */
export const event: KindRules = {
  fieldsOf: (object) => eventFields(viewOf(object)),
  resolveField: listedFields([
    ...INVOLVED.map((name) => `involvedObject.${name}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
    'metadata.namespace',
    'metadata.name',
  ]),
  columns: eventTable(viewOf),
  validate: (object) => validateEvent(viewOf(object), 'reportingComponent'),
  strategy: { allowsCreateOnUpdate: true, ttlSeconds: EVENT_TTL_SECONDS },
  checkName: pathSegmentName,
  convert: toCoreEvent,
};
