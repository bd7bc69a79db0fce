/** Which names are legal: DNS labels and subdomains, path segments. Each check returns its complaints, none when legal. */
import { breaksPattern, isLongerThan } from './text-limit.ts';

/** The longest DNS label, in bytes. */
export const DNS_LABEL_MAX = 63;

/** The longest DNS subdomain, in bytes. */
export const DNS_SUBDOMAIN_MAX = 253;

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';

const isLabel = new RegExp(`^${LABEL}$`);
const isSubdomain = new RegExp(`^${SUBDOMAIN}$`);
const isLabel1035 = new RegExp(`^${LABEL_1035}$`);

const ENDS = 'start and end with an alphanumeric character';
const LABEL_RULE = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must ${ENDS}`;
const SUBDOMAIN_RULE = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must ${ENDS}`;
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

/** The complaint about text that is longer than `max`. Object names say characters, label parts say bytes. */
export function tooLongText(max: number, unit: 'bytes' | 'characters'): string {
  return `must be no more than ${max} ${unit}`;
}

/** The complaint about text that does not fit a pattern, with examples of text that does. */
export function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const hint = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (${hint === '' ? '' : `e.g. ${hint}`}regex used for validation is '${pattern}')`;
}

/** Checks a DNS-1123 label, such as the name of a namespace. */
export function checkDnsLabel(text: string): readonly string[] {
  const complaints = tooLong(text, DNS_LABEL_MAX, 'characters');
  if (!breaksPattern(text, isLabel)) return complaints;
  // A legal subdomain that is no legal label can only have dots too many.
  if (!breaksPattern(text, isSubdomain)) return [...complaints, 'must not contain dots'];
  return [...complaints, patternText(LABEL_RULE, LABEL, ['my-name', '123-abc'])];
}

/** Checks a DNS-1123 subdomain, the rule for most object names. Label prefixes say bytes for the default characters. */
export function checkDnsSubdomain(text: string, unit: 'bytes' | 'characters' = 'characters'): readonly string[] {
  const complaints = tooLong(text, DNS_SUBDOMAIN_MAX, unit);
  return breaksPattern(text, isSubdomain)
    ? [...complaints, patternText(SUBDOMAIN_RULE, SUBDOMAIN, ['example.com'])]
    : complaints;
}

/** Checks a DNS-1035 label, the rule for the names of services. */
export function checkDns1035Label(text: string): readonly string[] {
  const complaints = tooLong(text, DNS_LABEL_MAX, 'characters');
  return breaksPattern(text, isLabel1035)
    ? [...complaints, patternText(LABEL_1035_RULE, LABEL_1035, ['my-name', 'abc-123'])]
    : complaints;
}

/** Checks that a name can stand in a path. Empty and long names pass: other rules refuse them. */
export function checkPathSegment(name: string): readonly string[] {
  return name === '.' || name === '..' ? [`may not be '${name}'`] : checkPathSegmentPrefix(name);
}

/** Checks that a name can begin a path segment, as `generateName` does. */
export function checkPathSegmentPrefix(prefix: string): readonly string[] {
  return ['/', '%'].filter((illegal) => prefix.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}

/**
 * The name to check in place of a `generateName`: the dash that usually ends one is not held against it. Like
 * Kubernetes it also drops the character before the dash.
 */
export function generatedNameSample(generateName: string): string {
  return generateName.length > 1 && generateName.endsWith('-') ? `${generateName.slice(0, -2)}a` : generateName;
}

function tooLong(text: string, max: number, unit: 'bytes' | 'characters'): readonly string[] {
  return isLongerThan(text, max) ? [tooLongText(max, unit)] : [];
}
