/** Validates `spec.conversion` of a definition. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { isJsonNumber, type JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath } from '../error-path.ts';
import { recordAt, textAt, textsAt } from './definition-view.ts';

/** The old faults that an update may keep. */
export interface ConversionTolerance {
  /** The review versions need not be known ones: the stored definition has none of them. */
  readonly allowsAnyVersion: boolean;
  /** Whether a CA bundle (base64) is refused. */
  readonly refusesCaBundle: (caBundle: string) => boolean;
}

/** The review versions that kube-apiserver can send. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Are review versions given, and none of them known? */
export function hasUnknownVersionsOnly(conversion: JsonRecord | undefined): boolean {
  const versions = textsAt(webhookOf(conversion), 'conversionReviewVersions');
  return versions.length > 0 && !versions.some((version) => REVIEW_VERSIONS.includes(version));
}

/** The CA bundle of a conversion webhook. */
export function caBundleOf(conversion: JsonRecord | undefined): string {
  return textAt(recordAt(webhookOf(conversion), 'clientConfig') ?? {}, 'caBundle');
}

/** The errors in a conversion. */
export function conversionProblems(
  conversion: JsonRecord | undefined,
  path: string,
  tolerance: ConversionTolerance,
): readonly FieldError[] {
  if (conversion === undefined) return [];
  const strategy = textAt(conversion, 'strategy');
  const errors: FieldError[] = [...strategyProblems(strategy, childPath(path, 'strategy'))];
  const webhook = webhookOf(conversion);
  const client = recordAt(webhook, 'clientConfig');
  const versions = textsAt(webhook, 'conversionReviewVersions');
  // kube-apiserver names the fields as they stood in its first version.
  const clientPath = childPath(path, 'webhookClientConfig');
  const versionsPath = childPath(path, 'conversionReviewVersions');
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(fieldForbidden(clientPath, detail));
    if (versions.length > 0) errors.push(fieldForbidden(versionsPath, detail));
    return errors;
  }
  if (client === undefined) errors.push(fieldRequired(clientPath, 'required when strategy is set to Webhook'));
  else errors.push(...clientProblems(client, clientPath, tolerance));
  return [...errors, ...reviewVersionProblems(versions, versionsPath, tolerance.allowsAnyVersion)];
}

function webhookOf(conversion: JsonRecord | undefined): JsonRecord {
  return (conversion === undefined ? undefined : recordAt(conversion, 'webhook')) ?? {};
}

function strategyProblems(strategy: string, field: string): readonly FieldError[] {
  if (strategy === '') return [fieldRequired(field)];
  return ['None', 'Webhook'].includes(strategy) ? [] : [fieldNotSupported(field, strategy, ['None', 'Webhook'])];
}

function clientProblems(
  client: JsonRecord,
  path: string,
  { refusesCaBundle }: ConversionTolerance,
): readonly FieldError[] {
  const url = typeof client['url'] === 'string' ? client['url'] : undefined;
  const service = recordAt(client, 'service');
  const caBundle = textAt(client, 'caBundle');
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) {
    errors.push(fieldRequired(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) errors.push(...urlProblems(url, childPath(path, 'url')));
  else if (service !== undefined) errors.push(...serviceProblems(service, childPath(path, 'service')));
  if (caBundle !== '' && refusesCaBundle(caBundle)) {
    const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
    errors.push(fieldInvalid(childPath(path, 'caBundle'), caBundle, detail));
  }
  return errors;
}

const URL_FORM = '; desired format: https://host[/path]';

/** Go reads almost any text as a URL: the parts are told apart by their signs alone. */
function urlProblems(url: string, field: string): readonly FieldError[] {
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [, scheme = '', authority = '', , query = '', fragment = ''] = match ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(fieldInvalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  }
  if (host === '') errors.push(fieldInvalid(field, host, `host must be specified${URL_FORM}`));
  if (at >= 0) {
    errors.push(fieldInvalid(field, authority.slice(0, at), 'user information is not permitted in the URL'));
  }
  if (fragment !== '') errors.push(fieldInvalid(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(fieldInvalid(field, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function serviceProblems(service: JsonRecord, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  // The caller of kube-apiserver's check mixes the two up, so that each error names the other field.
  if (textAt(service, 'namespace') === '') errors.push(fieldRequired(childPath(path, 'name')));
  if (textAt(service, 'name') === '') errors.push(fieldRequired(childPath(path, 'namespace')));
  const port = service['port'] ?? 443;
  if (!isJsonNumber(port) || port < 1 || port > 65_535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(fieldInvalid(childPath(path, 'port'), port, detail));
  }
  return [...errors, ...servicePathProblems(textAt(service, 'path'), childPath(path, 'path'))];
}

function servicePathProblems(urlPath: string, field: string): readonly FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [fieldInvalid(field, urlPath, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith('/')) errors.push(fieldInvalid(field, urlPath, "must start with a '/'"));
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') errors.push(fieldInvalid(field, urlPath, `segment[${index}] may not be empty`));
    else {
      const complaints = checkDnsSubdomain(segment);
      errors.push(...complaints.map((text) => fieldInvalid(field, urlPath, `segment[${index}]: ${text}`)));
    }
  }
  return errors;
}

function reviewVersionProblems(versions: readonly string[], path: string, allowsAny: boolean): readonly FieldError[] {
  if (versions.length === 0) return [fieldRequired(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const field = indexPath(path, index);
    if (seen.has(version)) errors.push(fieldInvalid(field, version, 'duplicate version'));
    else errors.push(...checkDns1035Label(version).map((text) => fieldInvalid(field, version, text)));
    seen.add(version);
  }
  if (!allowsAny && !versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(fieldInvalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
