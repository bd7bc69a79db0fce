/** The name of a device pool: DNS names separated by slashes. */

import {
  checkDnsSubdomain,
  DNS_SUBDOMAIN_MAX,
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from '@listwatch/api';

/** Checks a required pool name. */
export function validatePoolName(name: string, field: string): readonly FieldError[] {
  if (name === '') return [fieldRequired(field)];
  return [
    ...(name.length > DNS_SUBDOMAIN_MAX ? [fieldTooLong(field, DNS_SUBDOMAIN_MAX)] : []),
    ...name
      .split('/')
      .flatMap((part) => checkDnsSubdomain(part).map((complaint) => fieldInvalid(field, part, complaint))),
  ];
}
