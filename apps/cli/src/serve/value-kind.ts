/** Kinds of option values: how the text of a flag, a variable or a file becomes a value. */

import { isIP } from 'node:net';
import { firstOfRange, optionDurationMs, parseCidr } from '@listwatch/api/values';
import type { AuthorizationMode } from '@listwatch/server';
import { isLocal } from './advertised-address.ts';

/** One kind of value. */
export interface ValueKind<T> {
  /** Completes "must be ...". */
  readonly expected: string;
  /** What a file may use besides plain text: a list, or a map, which becomes `key#value` items. Default: neither. */
  readonly yaml?: 'list' | 'map' | undefined;
  /** Undefined for a text that is none. */
  parse(text: string): T | undefined;
}

/** A whole number within limits, both included. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): ValueKind<number> {
  const limits = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  return { expected: `a whole number ${limits}`, parse: (text) => parseWhole(text, least, most) };
}

/** A TCP port; 0 means any free one. */
export function port(): ValueKind<number> {
  return wholeNumber(0, 65_535);
}

/** How much to say. `-v=2`, as Kubernetes' commands are called, reaches us as `=2`. */
export function verbosity(): ValueKind<number> {
  return { ...wholeNumber(0, 10), parse: (text) => parseWhole(text.replace(/^=/u, ''), 0, 10) };
}

/** One of a few words. */
export function oneOfWords<T extends string>(...words: readonly T[]): ValueKind<T> {
  const last = words.at(-1) ?? '';
  return {
    expected: `${words.slice(0, -1).join(', ')} or ${last}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** Named here too: to load the server for `--help` takes too long. */
/** A mode of authorization by its name on the command line. */
export type AuthorizationModeName = AuthorizationMode | 'Webhook';

const AUTHORIZATION_MODES: readonly AuthorizationModeName[] = ['Node', 'RBAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'];

/** Ways to authorize, in their order, each once. */
export function authorizationModes(): ValueKind<readonly AuthorizationModeName[]> {
  return {
    expected: `one or more of ${AUTHORIZATION_MODES.join(', ')}, separated by commas, each once (there is no ABAC)`,
    yaml: 'list',
    parse(text) {
      const modes = text.split(',').flatMap((name) => AUTHORIZATION_MODES.find((mode) => mode === name.trim()) ?? []);
      const isComplete = modes.length === text.split(',').length && new Set(modes).size === modes.length;
      return isComplete ? modes : undefined;
    },
  };
}

/** Those of Kubernetes that are on here. To name them changes nothing, as in kube-apiserver. */
const DEFAULT_PLUGINS = [
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'NamespaceLifecycle',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];
const OPTIONAL_PLUGINS = ['NodeRestriction'] as const;

/** Admission plugins to turn on. */
export function optionalPluginNames(): ValueKind<readonly (typeof OPTIONAL_PLUGINS)[number][]> {
  return {
    expected: `admission plugins, separated by commas: ${OPTIONAL_PLUGINS.join(', ')}, or those that are always on`,
    yaml: 'list',
    parse(text) {
      const names = text.split(',').map((name) => name.trim());
      const found = OPTIONAL_PLUGINS.filter((plugin) => names.includes(plugin));
      const isKnown = (name: string): boolean => DEFAULT_PLUGINS.includes(name) || found.some((one) => one === name);
      return names.every(isKnown) ? found : undefined;
    },
  };
}

/** Yes or no. */
export function trueOrFalse(): ValueKind<boolean> {
  return {
    expected: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  };
}

/** Limits of a duration, in milliseconds, and what a number without a unit counts. Default: only 0 needs no unit. */
export interface DurationLimits {
  readonly least?: number | undefined;
  readonly bareUnit?: 's' | undefined;
}

/** Node's timers fire at once for anything longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time to wait, in milliseconds. */
export function duration({ least = 0, bareUnit }: DurationLimits = {}): ValueKind<number> {
  const positive = least > 0 ? ' above 0' : '';
  const bare = bareUnit === undefined ? '' : ', or a number of seconds';
  return {
    expected: `a duration${positive} such as 500ms, 90s or 1h30m${bare}, at most 24d`,
    parse(text) {
      const ms = optionDurationMs(bareUnit !== undefined && /^\d+$/u.test(text) ? `${text}${bareUnit}` : text);
      return ms === undefined || ms < least || ms > LONGEST_TIMER_MS ? undefined : Math.ceil(ms);
    },
  };
}

/** An age, in milliseconds: as long as one likes. */
export function age(): ValueKind<number> {
  return { expected: 'a duration such as 30m, 24h or 7d', parse: optionDurationMs };
}

/** An IPv4 or IPv6 address. */
export function ipAddressValue(): ValueKind<string> {
  return {
    expected: 'an IP address such as 127.0.0.1 or 0.0.0.0',
    parse: (text) => (isIP(text) === 0 ? undefined : text),
  };
}

/** Where the console is served. `on`: on the usual port, or on any free one when that is taken. */
export type ConsoleChoice =
  | { readonly type: 'at'; readonly address: string; readonly port: number }
  | { readonly type: 'off' }
  | { readonly type: 'on' };

/** Where the console is served. */
export function consolePlace(): ValueKind<ConsoleChoice> {
  return {
    expected: 'on, off, a port, or an IP address and a port such as 127.0.0.1:6480 or [::1]:6480',
    parse(text) {
      if (text === 'on' || text === 'off') return { type: text };
      const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d+)$/u.exec(text) ?? [];
      const address = bracketed ?? plain ?? '127.0.0.1';
      const at = parseWhole(digits, 0, 65_535);
      return at === undefined || isIP(address) === 0 ? undefined : { type: 'at', address, port: at };
    },
  };
}

/** An address that other machines can use. */
export function reachableAddress(): ValueKind<string> {
  return {
    expected: 'an IP address that other machines reach, such as 10.0.0.5',
    parse: (text) => (isIP(text) === 0 || isLocal(text) ? undefined : text),
  };
}

/** A path or a name: anything but nothing. */
export function nonEmpty(what: string): ValueKind<string> {
  return { expected: what, parse: (text) => (text === '' ? undefined : text) };
}

/** What etcd keys begin with; without the slash at its end. */
export function etcdKeyPrefix(): ValueKind<string> {
  return {
    expected: 'a prefix that begins with a slash, such as /listwatch',
    parse: (text) => (/^\/[^\0]*$/u.test(text) ? text.replace(/\/+$/u, '') : undefined),
  };
}

/** Addresses of etcd members. */
export function etcdEndpoints(): ValueKind<readonly string[]> {
  return {
    expected: 'a list of http://host:port or https://host:port, all of one kind, separated by commas',
    yaml: 'list',
    parse(text) {
      const urls = items(text);
      const schemes = new Set(urls.map(endpointScheme));
      return schemes.size === 1 && !schemes.has(undefined) ? urls : undefined;
    },
  };
}

/** Texts separated by commas: at least one. */
export function listOfTexts(what: string): ValueKind<readonly string[]> {
  return {
    expected: `${what}, separated by commas`,
    yaml: 'list',
    parse(text) {
      const texts = items(text);
      return texts.length === 0 || texts.includes('') ? undefined : texts;
    },
  };
}

/** Names and values: `hd=example.com,acr=2`. */
export function keyValues(): ValueKind<Readonly<Record<string, string>>> {
  return {
    expected: 'name=value pairs, separated by commas',
    yaml: 'list',
    parse(text) {
      const pairs = items(text).map((item) => /^([^=]+)=(.*)$/su.exec(item));
      if (pairs.includes(null)) return undefined;
      return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
    },
  };
}

/** Which controllers run. Their names are checked when they are loaded. */
export function controllerNames(): ValueKind<readonly string[]> {
  return {
    expected: 'a list of *, name or -name, separated by commas, such as *,-token-cleaner-controller',
    yaml: 'list',
    parse(text) {
      const names = items(text);
      return names.every((name) => /^-?(?:\*|[a-z][a-z0-9-]*)$/u.test(name)) ? names : undefined;
    },
  };
}

/** Sizes by resource, the group behind a dot where there is one: `pods#1000,deployments.apps#200`. */
export function resourceSizes(): ValueKind<Readonly<Record<string, number>>> {
  return {
    expected: 'resource[.group]#size,... such as pods#1000,deployments.apps#500',
    yaml: 'map',
    parse(text) {
      const sizes = items(text).map((item) => /^([a-z][a-z0-9-]*(?:\.[a-z0-9.-]+)?)#(0|[1-9]\d{0,7})$/u.exec(item));
      if (sizes.includes(null)) return undefined;
      return Object.fromEntries(sizes.map((size) => [size?.[1] ?? '', Number(size?.[2])]));
    },
  };
}

/** Ranges of cluster IPs: one, or one of each family. */
export function serviceRanges(): ValueKind<readonly string[]> {
  return {
    expected: 'a range such as 10.96.0.0/12, or one of IPv4 and one of IPv6, separated by a comma',
    yaml: 'list',
    parse(text) {
      const cidrs = items(text);
      const ranges = cidrs.map((cidr) => parseCidr(cidr));
      const isUsable = ranges.every(
        (range) =>
          range !== undefined &&
          firstOfRange(range).value === range.value &&
          range.bits - range.prefix >= (range.bits === 32 ? 2 : 1),
      );
      const families = new Set(ranges.map((range) => range?.bits));
      return isUsable && cidrs.length <= 2 && families.size === cidrs.length ? cidrs : undefined;
    },
  };
}

function parseWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) && number >= least && number <= most ? number : undefined;
}

function items(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim());
}

function endpointScheme(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const extra = username + password + pathname.slice(1) + search + hash;
  return /^https?:$/u.test(protocol) && hostname !== '' && extra === '' ? protocol : undefined;
}
