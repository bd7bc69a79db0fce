/** The names of requests in a claim, and references to them: `request` or `request/alternative`. */

import { checkDnsLabel, type FieldError, fieldDuplicate, fieldInvalid } from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import { limited } from './device-lists.ts';

type Errors = readonly FieldError[];

const REFERENCES_MAX = 32;
const NO_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** All names that a reference can use: requests, and their alternatives. */
export function requestNames(devices: JsonRecord): ReadonlySet<string> {
  return new Set(
    recordsOf(devices['requests']).flatMap(({ name, firstAvailable }) => [
      textOf(name),
      ...recordsOf(firstAvailable).map((one) => `${textOf(name)}/${textOf(one['name'])}`),
    ]),
  );
}

/** Checks the name of a request. */
export function validateRequestName(value: unknown, field: string): Errors {
  return checkDnsLabel(textOf(value)).map((complaint) => fieldInvalid(field, textOf(value), complaint));
}

/** Checks one reference. */
export function validateReference(name: string, names: ReadonlySet<string>, field: string): Errors {
  const parts = name.split('/');
  return [
    ...(parts.length > 2 ? [] : parts.flatMap((part) => validateRequestName(part, field))),
    ...(names.has(name) ? [] : [fieldInvalid(field, name, NO_REQUEST)]),
  ];
}

/** Checks a list of references, which must be unique. */
export function validateReferences(value: unknown, names: ReadonlySet<string>, field: string): Errors {
  const references = listOf(value).map(textOf);
  const wrong = limited(references, REFERENCES_MAX, field, (name, at) => validateReference(name, names, at));
  if (references.length > REFERENCES_MAX) return wrong;
  const seen = new Set<string>();
  const repeated = limited(references, REFERENCES_MAX, field, (name, at) => {
    if (seen.has(name)) return [fieldDuplicate(at, name)];
    seen.add(name);
    return [];
  });
  return [...wrong, ...repeated];
}
