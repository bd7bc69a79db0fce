/** The rules for the network of a pod: names, resolvers and the ports of its host. */

import {
  checkDnsSubdomain,
  type FieldError,
  fieldInvalid,
  fieldRequired,
  patternText,
  utf8Length,
} from '@listwatch/api';
import { ipFamily, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const IP_RULE = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function validateIp(ip: string, field: string): Errors {
  return ipFamily(ip) === undefined ? [fieldInvalid(field, ip, IP_RULE)] : [];
}

const NAMESERVERS_MAX = 3;
const SEARCHES_MAX = 32;
const SEARCH_LENGTH_MAX = 2048;
const SEARCH_LENGTH_RULE = `must not have more than ${SEARCH_LENGTH_MAX} characters (including spaces) in the search list`;
const NAME_MAX = 253;
const SEARCH_PART = String.raw`_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?`;
const SEARCH = String.raw`${SEARCH_PART}(\.${SEARCH_PART})*`;
const SEARCH_RULE = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  SEARCH,
  ['example.com'],
);
const SEARCH_PATTERN = new RegExp(`^${SEARCH}$`);

/** Checks `dnsConfig` of a pod. The DNS policy `None` requires nameservers in it. */
export function validateDns({ dnsConfig, dnsPolicy }: JsonRecord, field: string): Errors {
  if (dnsConfig === undefined && dnsPolicy !== 'None') return [];
  const { nameservers, searches, options } = recordOf(dnsConfig);
  const servers = listOf(nameservers).map(textOf);
  const names = listOf(searches).map(textOf);
  if (dnsPolicy === 'None') {
    const why = 'when `dnsPolicy` is None';
    if (dnsConfig === undefined) return [fieldRequired(field, `must provide \`dnsConfig\` ${why}`)];
    if (servers.length === 0)
      return [fieldRequired(`${field}.nameservers`, `must provide at least one DNS nameserver ${why}`)];
  }
  return [
    ...(servers.length > NAMESERVERS_MAX
      ? [fieldInvalid(`${field}.nameservers`, servers, `must not have more than ${NAMESERVERS_MAX} nameservers`)]
      : []),
    ...itemErrors(servers, (ip, index) => validateIp(ip, `${field}.nameservers[${index}]`)),
    ...(names.length > SEARCHES_MAX
      ? [fieldInvalid(`${field}.searches`, names, `must not have more than ${SEARCHES_MAX} search paths`)]
      : []),
    ...(utf8Length(names.join(' ')) > SEARCH_LENGTH_MAX
      ? [fieldInvalid(`${field}.searches`, names, SEARCH_LENGTH_RULE)]
      : []),
    ...itemErrors(names, (name, index) => validateSearch(name, `${field}.searches[${index}]`)),
    ...itemErrors(recordsOf(options), ({ name }, index) =>
      textOf(name) === '' ? [fieldRequired(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function validateSearch(search: string, field: string): Errors {
  // Resolvers accept `.` alone and a trailing dot.
  const name = search === '.' ? 'a' : search.replace(/\.$/, '');
  return [
    ...(utf8Length(name) > NAME_MAX ? [fieldInvalid(field, name, `must be no more than ${NAME_MAX} characters`)] : []),
    ...(SEARCH_PATTERN.test(name) ? [] : [fieldInvalid(field, name, SEARCH_RULE)]),
  ];
}

/** Checks `hostAliases` of a pod. */
export function validateHostAliases(value: unknown, field: string): Errors {
  return itemErrors(recordsOf(value), ({ ip, hostnames }, index) => [
    ...validateIp(textOf(ip), `${field}[${index}].ip`),
    ...itemErrors(listOf(hostnames).map(textOf), (name, number) =>
      checkDnsSubdomain(name).map((complaint) =>
        fieldInvalid(`${field}[${index}].hostnames[${number}]`, name, complaint),
      ),
    ),
  ]);
}

/** In the host network, host ports must equal container ports. */
export function validateHostNetwork(spec: JsonRecord, field: string): Errors {
  if (spec['hostNetwork'] !== true) return [];
  return itemErrors(recordsOf(spec['containers']), (container, index) =>
    itemErrors(recordsOf(container['ports']), (port, number) => {
      const hostPort = numberOf(port['hostPort']);
      if (hostPort === 0 || hostPort === numberOf(port['containerPort'])) return [];
      const place = `${field}.containers[${index}].ports[${number}].hostPort`;
      return [fieldInvalid(place, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}
