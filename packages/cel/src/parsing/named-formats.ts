/** The formats of `format.named(..)`: names, labels and a few formats of OpenAPI, with Kubernetes' messages. */
import { byteLength } from './go-quote.ts';
import { requestUrlProblem } from './go-url.ts';

/** A format. */
export interface NamedFormat {
  /** The name that Kubernetes gives it: `DNS1123Label`. */
  readonly name: string;
  /** The length of its pattern: the measure of its cost. */
  readonly patternSize: number;
  /** What is wrong with a text. */
  problems(text: string): readonly string[];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const OLD_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const DATE_TIME_PATTERN_SIZE = 71;

const LABEL_PROBLEM =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN_PROBLEM =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const OLD_LABEL_PROBLEM =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end " +
  `with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${OLD_LABEL}')`;
const KEY_PROBLEM =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${KEY}')`;
const VALUE_PROBLEM =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with " +
  `an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${KEY})?')`;

/** The formats by the names that expressions give them. */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ['dns1123Label', { name: 'DNS1123Label', patternSize: 30, problems: labelProblems }],
  ['dns1123Subdomain', { name: 'DNS1123Subdomain', patternSize: 60, problems: (text) => subdomainProblems(text) }],
  ['dns1035Label', { name: 'DNS1035Label', patternSize: 30, problems: oldLabelProblems }],
  ['qualifiedName', { name: 'QualifiedName', patternSize: 60, problems: qualifiedNameProblems }],
  [
    'dns1123LabelPrefix',
    { name: 'DNS1123LabelPrefix', patternSize: 30, problems: (text) => labelProblems(masked(text)) },
  ],
  [
    'dns1123SubdomainPrefix',
    { name: 'DNS1123SubdomainPrefix', patternSize: 60, problems: (text) => subdomainProblems(masked(text)) },
  ],
  [
    'dns1035LabelPrefix',
    { name: 'DNS1035LabelPrefix', patternSize: 30, problems: (text) => oldLabelProblems(masked(text)) },
  ],
  ['labelValue', { name: 'LabelValue', patternSize: 40, problems: labelValueProblems }],
  ['uri', { name: 'URI', patternSize: 1103, problems: uriProblems }],
  ['uuid', { name: 'uuid', patternSize: 70, problems: unless(isUuid, 'does not match the UUID format') }],
  ['byte', { name: 'byte', patternSize: 84, problems: unless(isBase64, 'invalid base64') }],
  ['date', { name: 'date', patternSize: DATE_TIME_PATTERN_SIZE, problems: unless(isDate, 'invalid date') }],
  [
    'datetime',
    { name: 'datetime', patternSize: DATE_TIME_PATTERN_SIZE, problems: unless(isDateTime, 'invalid datetime') },
  ],
]);

function unless(isValid: (text: string) => boolean, problem: string): (text: string) => readonly string[] {
  return (text) => (isValid(text) ? [] : [problem]);
}

/** A name to which a suffix will be added may end in a dash. */
function masked(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

function tooLong(text: string, limit: number, unit = 'characters'): readonly string[] {
  return byteLength(text) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function isLabel(text: string): boolean {
  return /^[-a-z0-9]+$/.test(text) && !text.startsWith('-') && !text.endsWith('-');
}

function isSubdomain(text: string): boolean {
  return text.split('.').every(isLabel);
}

function labelProblems(text: string): readonly string[] {
  if (isLabel(text)) return tooLong(text, 63);
  return [...tooLong(text, 63), isSubdomain(text) ? 'must not contain dots' : LABEL_PROBLEM];
}

function subdomainProblems(text: string, unit?: string): readonly string[] {
  return isSubdomain(text) ? tooLong(text, 253, unit) : [...tooLong(text, 253, unit), SUBDOMAIN_PROBLEM];
}

function oldLabelProblems(text: string): readonly string[] {
  return isLabel(text) && /^[a-z]/.test(text) ? tooLong(text, 63) : [...tooLong(text, 63), OLD_LABEL_PROBLEM];
}

function isKey(text: string): boolean {
  return /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);
}

function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${KEY_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = '', prefix] = parts.toReversed();
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined)
    problems.push(...subdomainProblems(prefix, 'bytes').map((one) => `prefix part ${one}`));
  if (name === '') problems.push('name part must be non-empty');
  problems.push(...tooLong(name, 63, 'bytes').map((one) => `name part ${one}`));
  if (!isKey(name)) problems.push(`name part ${KEY_PROBLEM}`);
  return problems;
}

function labelValueProblems(text: string): readonly string[] {
  const long = tooLong(text, 63, 'bytes');
  return text === '' || isKey(text) ? long : [...long, VALUE_PROBLEM];
}

function uriProblems(text: string): readonly string[] {
  const problem = requestUrlProblem(text);
  return problem === undefined ? [] : [problem];
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Is it a day, such as `2024-02-29`? */
export function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return false;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const lastDays = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lastDays[month - 1] ?? 0);
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const found = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/.exec(time);
  if (found === null || !isDate(date)) return false;
  return Number(found[1]) <= 23 && Number(found[2]) <= 59 && Number(found[3]) <= 59;
}
