/** Where a controller writes what it does. */

/** One line: facts first, then the words. pino's loggers fit. */
export type LogLine = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** A structured logger. */
export interface Logger {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}

const nothing: LogLine = () => {};

/** Writes nothing. */
export const silentLogger: Logger = Object.freeze({ debug: nothing, info: nothing, warn: nothing, error: nothing });

/** The same logger, whose failures end here: a broken logger must not end a worker or change the outcome of a reconcile. */
export function unfailingLogger(logger: Logger): Logger {
  const line = (level: keyof Logger): LogLine => {
    return (facts, message) => {
      try {
        logger[level](facts, message);
      } catch {
        // There is nowhere left to report it.
      }
    };
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/** Adds facts to every line of a logger. */
export function withFacts(logger: Logger, facts: Readonly<Record<string, unknown>>): Logger {
  const line = (level: keyof Logger): LogLine => {
    return (more, message) => logger[level]({ ...facts, ...more }, message);
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
