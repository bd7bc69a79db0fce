/** A line of the log for people. */

import { type Paint, printable, printableLines, type Style } from '@listwatch/api/internal';
import type { ErrorFacts } from './error-facts.ts';

/** Fields of every line, or that have a place of their own in the text. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'msg']);

const LEVEL_STYLES: ReadonlyMap<string, Style> = new Map([
  ['debug', 'dim'],
  ['info', 'cyan'],
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
]);

/** What pino makes of a call. */
interface JsonLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
}

/** The text of a line that pino has written as JSON. */
export function textLine(json: string, paint: Paint): string {
  const line: JsonLine = JSON.parse(json);
  const { level, msg = '' } = line;
  const time = /T(\d\d:\d\d:\d\d)/u.exec(line.time)?.[1] ?? '';
  const fields = Object.entries(line).filter(([name]) => !OWN_FIELDS.has(name));
  const thrown = fields.filter(([, value]) => hasStack(value));
  const words = [
    paint('dim', time),
    paint(LEVEL_STYLES.get(level) ?? 'bold', level.padEnd(5)),
    printable(msg),
    ...fields
      .filter(([, value]) => !hasStack(value))
      .map(([name, value]) => `${paint('dim', `${printable(name)}=`)}${textOf(value)}`),
  ];
  return `${words.join(' ')}${thrown.map(([, value]) => stackText(value)).join('')}\n`;
}

function isErrorFacts(value: unknown): value is ErrorFacts {
  return typeof value === 'object' && value !== null && 'message' in value && 'name' in value;
}

function hasStack(value: unknown): boolean {
  return isErrorFacts(value) && value.stack !== undefined;
}

function textOf(value: unknown): string {
  const plain = isErrorFacts(value) ? messageOf(value) : value;
  return printable(typeof plain === 'string' && /^[^\s"]+$/u.test(plain) ? plain : JSON.stringify(plain));
}

function messageOf({ message, code, causes = [] }: ErrorFacts): string {
  const text = [message, ...causes].join(': ');
  return code === undefined || text.includes(String(code)) ? text : `${String(code)}: ${text}`;
}

/** The stack of a failure that nobody foresaw, on lines of its own. */
function stackText(value: unknown): string {
  if (!isErrorFacts(value)) return '';
  const { name, stack = '' } = value;
  const frames = printableLines(stack).replaceAll('\n', '\n      ');
  return `\n  ${printable(`${name}: ${messageOf(value)}`)}\n      ${frames}`;
}
