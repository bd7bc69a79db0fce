/** Validates where a webhook is called: a URL, or a service of the cluster. */

import { checkDnsSubdomain, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, numberOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { rangeText } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

const FORM = '; desired format: https://host[/path]';

/** The parts of a URL by RFC 3986. The platform's class URL accepts and rewrites URLs that Go refuses. */
const URL_PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Checks a URL: HTTPS, without a user, a query and a fragment. */
export function validateUrl(url: string, field: string): Errors {
  const [, scheme = '', user, host = '', , query = '', fragment = ''] = URL_PARTS.exec(url) ?? [];
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [fieldInvalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [fieldInvalid(field, '', `host must be specified${FORM}`)] : []),
    ...(user === undefined ? [] : [fieldInvalid(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [fieldInvalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [fieldInvalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

/** Checks a reference to a service. */
export function validateServiceReference({ name, namespace, path, port }: JsonRecord, field: string): Errors {
  const number = numberOf(port);
  const legal = number >= 1 && number <= 65_535;
  return [
    // kube-apiserver swaps the two field names in its errors.
    ...(textOf(namespace) === '' ? [fieldRequired(`${field}.name`)] : []),
    ...(textOf(name) === '' ? [fieldRequired(`${field}.namespace`)] : []),
    ...(legal ? [] : [fieldInvalid(`${field}.port`, number, `port is not valid: ${rangeText(1, 65_535)}`)]),
    ...validatePath(textOf(path), `${field}.path`),
  ];
}

function validatePath(path: string, field: string): Errors {
  if (path === '' || path === '/') return [];
  if (path === '//') return [fieldInvalid(field, path, 'segment[0] may not be empty')];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(path.startsWith('/') ? [] : [fieldInvalid(field, path, "must start with a '/'")]),
    ...itemErrors(segments, (segment, index) => {
      if (segment === '') return [fieldInvalid(field, path, `segment[${index}] may not be empty`)];
      return checkDnsSubdomain(segment).map((complaint) =>
        fieldInvalid(field, path, `segment[${index}]: ${complaint}`),
      );
    }),
  ];
}
