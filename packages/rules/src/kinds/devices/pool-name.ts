/** The name of a pool of devices: DNS names with slashes between them. */

import {
  checkDnsSubdomain,
  DNS_SUBDOMAIN_MAX,
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from '@listwatch/api';

/** Checks a name that must be there. */
export function validatePoolName(name: string, field: string): readonly FieldError[] {
  if (name === '') return [fieldRequired(field)];
  return [
    ...(name.length > DNS_SUBDOMAIN_MAX ? [fieldTooLong(field, DNS_SUBDOMAIN_MAX)] : []),
    ...name
      .split('/')
      .flatMap((part) => checkDnsSubdomain(part).map((complaint) => fieldInvalid(field, part, complaint))),
  ];
}
