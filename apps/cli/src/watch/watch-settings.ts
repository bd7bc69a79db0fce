/** Validates the options of `listwatch watch`. */

import {
  isResourceVersion,
  ListWatchError,
  NAME_FIELD,
  parseFieldSelector,
  parseLabelSelector,
  type ResourceVersion,
} from '@listwatch/api';
import { parseResourceName, RESOURCE_FORMS } from '@listwatch/client/internal';
import { UsageError } from '../usage-error.ts';
import type { ChangeFormat } from './change-text.ts';
import type { WatchFlags } from './watch-flags.ts';

/** What to watch and how to show it. */
export interface WatchSettings {
  readonly resource: string;
  readonly name: string | undefined;
  /** Undefined: the namespace of the context. */
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly from: ResourceVersion | undefined;
  readonly watchOnly: boolean;
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly format: ChangeFormat | undefined;
  readonly status: boolean;
}

/** A DNS label, as the server requires it. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;

const FORMATS: readonly ChangeFormat[] = ['text', 'wide', 'json', 'name'];

/** Throws a `UsageError` that names the option and shows the value. */
export function resolveWatchSettings(flags: WatchFlags): WatchSettings {
  const { resource, name, namespace, allNamespaces = false, selector, fieldSelector, from, output } = flags;
  if (namespace !== undefined && allNamespaces)
    throw new UsageError('--namespace cannot be combined with --all-namespaces');
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    throw new UsageError(`--namespace must be a name such as default, got ${JSON.stringify(namespace)}`);
  if (name !== undefined && !isName(name)) throw new UsageError(`[name] is not a name: ${JSON.stringify(name)}`);
  if (parseResourceName(resource) === undefined)
    throw new UsageError(`<resource> must be ${RESOURCE_FORMS}, got ${JSON.stringify(resource)}`);
  if (from !== undefined && !isResourceVersion(from)) {
    throw new UsageError(`--from must be a resourceVersion such as 184467, got ${JSON.stringify(from)}`);
  }
  const format = FORMATS.find((one) => one === output);
  if (output !== undefined && format === undefined) {
    throw new UsageError(`--output must be text, wide, json or name, got ${JSON.stringify(output)}`);
  }
  checkSelector('--selector', selector, parseLabelSelector);
  checkSelector('--field-selector', fieldSelector, parseFieldSelector);
  return Object.freeze({
    resource,
    name,
    namespace,
    allNamespaces,
    labelSelector: selector,
    fieldSelector,
    from,
    watchOnly: flags.watchOnly ?? false,
    format,
    status: flags.status ?? true,
  });
}

/** The field selector, with the name of the object if one was given. Throws a `UsageError` when there are two names. */
export function fieldsOf({ name, fieldSelector }: WatchSettings, object: string | undefined): string | undefined {
  if (name !== undefined && object !== undefined) {
    throw new UsageError(`the name is given twice: ${JSON.stringify(object)} and ${JSON.stringify(name)}`);
  }
  const one = name ?? object;
  const parts = [one === undefined ? undefined : `${NAME_FIELD}=${one}`, fieldSelector];
  return parts.filter((part) => part !== undefined).join(',') || undefined;
}

/** A name can be a segment of a path, and nothing in a field selector. */
function isName(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[\s/%,=!\\\p{Cc}]/u.test(text);
}

function checkSelector(option: string, text: string | undefined, parse: (text: string) => unknown): void {
  if (text === undefined) return;
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof ListWatchError)) throw error;
    throw new UsageError(`${option} is invalid: ${JSON.stringify(text)}: ${error.message}`);
  }
}
