/** What an option of `listwatch serve` is. */

import type { ValueKind } from './value-kind.ts';

/** The headings of the help. */
export type OptionGroup =
  | 'Listening'
  | 'Console'
  | 'Storage'
  | 'Services'
  | 'etcd'
  | 'Authentication and TLS'
  | 'Authorization'
  | 'OpenID Connect'
  | 'Front proxy and webhook'
  | 'Audit'
  | 'Controllers'
  | 'Watch cache'
  | 'Limits'
  | 'Output';

/** One option. */
export interface OptionSpec<T> {
  readonly group: OptionGroup;
  /** The word that stands for the value in the help. */
  readonly value: string;
  readonly short?: string | undefined;
  readonly help: string;
  readonly kind: ValueKind<Exclude<T, undefined>>;
  readonly fallback: T;
  /** The default as the help shows it. Default: `fallback` when that is a text or a number, else nothing. */
  readonly fallbackText?: string | undefined;
}

/** `bindAddress` as it is written on the command line and in files: `bind-address`. */
export function optionName(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
