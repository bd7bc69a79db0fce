/** Event of the group events.k8s.io: the same objects with stricter rules and other field names. */

import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { eventsFieldName, toEventsEvent } from './event-conversion.ts';
import { validateEvent, validateStrictEvent, validateStrictEventChange } from './event-validation.ts';
import { EVENT_TTL_SECONDS, eventFields, eventTable, eventViewBy, INVOLVED } from './event-view.ts';

const REGARDING = Object.fromEntries(INVOLVED.map((name) => [`regarding.${name}`, `involvedObject.${name}`]));

const viewOf = eventViewBy(eventsFieldName);

/** The rules of Event in events.k8s.io. */
export const eventsEvent: KindRules = {
  // Kubernetes stores both groups as events of the core group, and its errors name the core group.
  reportedGroup: '',
  fieldsOf: (object) => eventFields(viewOf(object)),
  resolveField: listedFields(
    [...Object.values(REGARDING), 'reason', 'reportingComponent', 'type', 'metadata.namespace', 'metadata.name'],
    { ...REGARDING, reportingController: 'reportingComponent' },
  ),
  columns: eventTable(viewOf),
  validate: (object) => [
    ...validateEvent(viewOf(object), 'reportingController'),
    ...validateStrictEvent(viewOf(object)),
  ],
  // An event of an old client may violate the rules for new events. Updates of its series must still be possible.
  validateUpdate: (object, old) => [
    ...validateEvent(viewOf(object), 'reportingController'),
    ...validateStrictEventChange(viewOf(object), viewOf(old)),
  ],
  strategy: { allowsCreateOnUpdate: true, ttlSeconds: EVENT_TTL_SECONDS },
  convert: toEventsEvent,
};
