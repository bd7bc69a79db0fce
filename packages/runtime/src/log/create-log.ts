/** The log of a program, the same for servers and operators: JSON lines for machines, short lines for people. */

import { type Paint, painter, printableJson } from '@listwatch/api/internal';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { errorFacts, unforeseenFacts } from './error-facts.ts';
import { textLine } from './text-line.ts';

/** Where the lines go. */
export interface LogOutput {
  /** Is a person reading? */
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** Options of {@link createLog}. */
export interface CreateLogOptions {
  /** Default: `text` on a terminal, and `json` elsewhere. */
  readonly format?: 'json' | 'text' | undefined;
  /** 0: what matters. 1 and more: how it got there. Default: 0. */
  readonly verbosity?: number | undefined;
  /** Default: the standard output. */
  readonly output?: LogOutput | undefined;
  /** Default: colours on a terminal, unless `NO_COLOR` is set. */
  readonly paint?: Paint | undefined;
}

/**
 * Makes a log, as `manager` has one by default. Each line has the name of its level, an ISO time, and what an error says once: its
 * message, its code, the causes that add something, and the stack of what was not foreseen.
 *
 * @example
 * const program = manager(cluster, { logger: createLog({ format: 'json', verbosity: 1 }) });
 */
export function createLog(options: CreateLogOptions = {}): PinoLogger {
  const { output = standardOutput(), verbosity = 0 } = options;
  const { format = output.isTerminal ? 'text' : 'json', paint = painter(output.isTerminal, process.env) } = options;
  const write = (line: string): void => output.write(format === 'json' ? printableJson(line) : textLine(line, paint));
  const destination: DestinationStream = { write };
  return pino(
    {
      level: verbosity > 0 ? 'debug' : 'info',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // `error` is told in a line; `err` is what pino calls an error that was thrown at it, and nobody foresaw.
      serializers: { err: unforeseenFacts, error: errorFacts },
    },
    destination,
  );
}

function standardOutput(): LogOutput {
  return { isTerminal: process.stdout.isTTY, write: (text) => void process.stdout.write(text) };
}
