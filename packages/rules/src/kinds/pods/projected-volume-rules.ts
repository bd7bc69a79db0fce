/** The rules for a projected volume, which combines several sources. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

/** The file checks that projected volumes share with other volumes. */
export interface FileChecks {
  readonly keyFile: (item: JsonRecord, field: string) => Errors;
  readonly downwardFile: (item: JsonRecord, field: string) => Errors;
  readonly path: (item: JsonRecord, field: string) => Errors;
  readonly mode: (mode: unknown, field: string) => Errors;
}

const TYPES = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'];

/** Checks the source `projected` of a volume. */
export function validateProjected(projected: JsonRecord, field: string, checks: FileChecks): Errors {
  const seen = new Set<string>();
  const duplicate = (path: string, shown: string): Errors => {
    const isTwice = path !== '' && seen.has(path);
    seen.add(path);
    return isTwice ? [fieldInvalid(field, shown, 'conflicting duplicate paths')] : [];
  };
  return [
    ...checks.mode(projected['defaultMode'], `${field}.defaultMode`),
    ...itemErrors(recordsOf(projected['sources']), (source, index) => {
      const place = `${field}.sources[${index}]`;
      const named = ['secret', 'configMap'].flatMap((type) => {
        if (source[type] === undefined) return [];
        const { name, items } = recordOf(source[type]);
        return [
          ...(textOf(name) === '' ? [fieldRequired(`${place}.${type}.name`)] : []),
          ...itemErrors(recordsOf(items), (item, at) => [
            ...checks.keyFile(item, `${place}.${type}.items[${at}]`),
            ...duplicate(textOf(item['path']), textOf(name)),
          ]),
        ];
      });
      return [
        ...named,
        ...itemErrors(recordsOf(recordOf(source['downwardAPI'])['items']), (item) => [
          ...checks.downwardFile(item, `${place}.downwardAPI`),
          ...duplicate(textOf(item['path']), textOf(item['path'])),
        ]),
        ...(source['serviceAccountToken'] === undefined
          ? []
          : validateToken(recordOf(source['serviceAccountToken']), `${place}.serviceAccountToken`, field, checks)),
        ...(TYPES.filter((type) => source[type] !== undefined).length > 1
          ? [fieldForbidden(place, 'may not specify more than 1 volume type per source')]
          : []),
      ];
    }),
  ];
}

const SHORTEST = 600;
const LONGEST = 2 ** 32;

function validateToken(token: JsonRecord, field: string, volume: string, { path }: FileChecks): Errors {
  const seconds = numberOf(token['expirationSeconds']);
  const place = `${field}.expirationSeconds`;
  return [
    ...(seconds < SHORTEST ? [fieldInvalid(place, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > LONGEST ? [fieldInvalid(place, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
    ...path(token, volume),
  ];
}
