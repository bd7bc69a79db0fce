/** The log of a server: JSON lines for machines, short lines for people. */

import { type DestinationStream, type Logger, pino } from 'pino';
import type { Output } from './host.ts';
import type { Paint, Style } from './paint.ts';
import { printable, printableJson, printableLines } from './printable.ts';
import type { LogFormat } from './serve/serve-options.ts';

/** Options of `createLog`. */
export interface LogOptions {
  readonly format: LogFormat;
  /** 0: what matters. 1 and more: how it got there. */
  readonly verbosity: number;
  readonly output: Output;
  readonly paint: Paint;
}

/** Makes the log. */
export function createLog({ format, verbosity, output, paint }: LogOptions): Logger {
  const write = format === 'json' ? (line: string) => output.write(printableJson(line)) : textWriter(output, paint);
  const destination: DestinationStream = { write };
  return pino(
    {
      level: verbosity > 0 ? 'debug' : 'info',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorFacts },
    },
    destination,
  );
}

/** JSON leaves out the message of an error, which is what a person looks for. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  return 'code' in error ? { name, code: error.code, message } : { name, message };
}

/** Fields of every line, or that have a place of their own in the text. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

const LEVEL_STYLES: ReadonlyMap<string, Style> = new Map([
  ['debug', 'dim'],
  ['info', 'cyan'],
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
]);

/** What pino makes of a call. */
interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: unknown;
}

function textWriter(output: Output, paint: Paint): (line: string) => void {
  return (line) => {
    const fields: LogLine = JSON.parse(line);
    const { level, msg = '' } = fields;
    const time = /T(\d\d:\d\d:\d\d)/u.exec(fields.time)?.[1] ?? '';
    const rest = Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name));
    const words = [
      paint('dim', time),
      paint(LEVEL_STYLES.get(level) ?? 'bold', level.padEnd(5)),
      printable(msg),
      ...rest.map(([name, value]) => `${paint('dim', `${printable(name)}=`)}${textOf(value)}`),
    ];
    output.write(`${words.join(' ')}${errorText(fields.err)}\n`);
  };
}

function textOf(value: unknown): string {
  return printable(typeof value === 'string' && /^[^\s"]+$/u.test(value) ? value : JSON.stringify(value));
}

/** The stack of a failure that nobody foresaw, on lines of its own. */
function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const stack = 'stack' in error && typeof error.stack === 'string' ? error.stack : JSON.stringify(error);
  return `\n  ${printableLines(stack).replaceAll('\n', '\n  ')}`;
}
