/** How list options go together: the defaults of a watch, and which combinations Kubernetes refuses. */

import { ANY_RESOURCE_VERSION, META_GROUP, PARAM } from '../paths/wire-names.ts';
import { invalid } from '../status/failures.ts';
import { type FieldError, fieldForbidden, fieldNotSupported } from '../status/field-error.ts';
import { type ParsedListOptions, parseListOptions } from './list-options.ts';

/** What the server can do. */
export interface ListOptionsConfig {
  /** Does the server send initial events on request? Default: true. */
  readonly watchList?: boolean | undefined;
}

/**
 * Reads the options of a request, fills the defaults and checks them. One function serves LIST, WATCH, deletecollection
 * and the old `/watch/` paths: the query's own `watch` decides, so a `/watch/` path without it gets the rules of LIST.
 * Throws a `StatusError`: 400 for options that cannot be read, 422 for options that do not go together.
 */
export function decodeListOptions(queryString: string, config: ListOptionsConfig = {}): ParsedListOptions {
  const options = defaultListOptions(parseListOptions(queryString), config);
  const errors = validateListOptions(options, config);
  if (errors.length > 0) throw invalid({ group: META_GROUP, kind: 'ListOptions' }, '', errors);
  return options;
}

/** A watch that says nothing about its start (no version, or any) begins with the current objects. */
export function defaultListOptions(options: ParsedListOptions, config: ListOptionsConfig = {}): ParsedListOptions {
  const { watch, sendInitialEvents, resourceVersion, resourceVersionMatch } = options;
  const unsaid = sendInitialEvents === undefined && resourceVersionMatch === '';
  const anywhere = resourceVersion === '' || resourceVersion === ANY_RESOURCE_VERSION;
  if (!watch || !unsaid || !anywhere || config.watchList === false) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

/** What is wrong with how the options go together, in the order of Kubernetes; nothing when they are fine. */
export function validateListOptions(options: ParsedListOptions, config: ListOptionsConfig = {}): readonly FieldError[] {
  return options.watch ? validateWatch(options, config) : validateList(options);
}

const WHEN_CONTINUE = forbidMatch('resourceVersionMatch is forbidden when continue is provided');

function validateList(options: ParsedListOptions): readonly FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const matchErrors = [
    resourceVersion === '' && forbidMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'),
    options.continue !== '' && WHEN_CONTINUE,
    match !== 'Exact' && match !== 'NotOlderThan' && unsupportedMatch(match, ['Exact', 'NotOlderThan', '']),
    match === 'Exact' &&
      resourceVersion === ANY_RESOURCE_VERSION &&
      forbidMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
  ];
  return found([
    ...(match === '' ? [] : matchErrors),
    options.sendInitialEvents !== undefined &&
      fieldForbidden(PARAM.sendInitialEvents, 'sendInitialEvents is forbidden for list'),
  ]);
}

function validateWatch(options: ParsedListOptions, config: ListOptionsConfig): readonly FieldError[] {
  const { sendInitialEvents, resourceVersionMatch: match } = options;
  const initialErrors = [
    match !== 'NotOlderThan' && forbidMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    config.watchList === false &&
      fieldForbidden(
        PARAM.sendInitialEvents,
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
  ];
  const matchErrors = [
    sendInitialEvents === undefined &&
      forbidMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    match !== 'NotOlderThan' && unsupportedMatch(match, ['NotOlderThan']),
    options.continue !== '' && WHEN_CONTINUE,
  ];
  return found([...(sendInitialEvents === undefined ? [] : initialErrors), ...(match === '' ? [] : matchErrors)]);
}

function found(errors: readonly (FieldError | false)[]): readonly FieldError[] {
  return errors.filter((error) => error !== false);
}

function forbidMatch(detail: string): FieldError {
  return fieldForbidden(PARAM.resourceVersionMatch, detail);
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldError {
  return fieldNotSupported(PARAM.resourceVersionMatch, match, supported);
}
