/** The log of webhooks. The helpers of controllers are not used: they would be one more file for everybody who loads the runtime. */

import type { Logger, LogLine } from '../controller/logger.ts';

/** The same logger with facts in every line. Its failures end here: a broken logger must not change an answer. */
export function hookLog(logger: Logger, facts: Readonly<Record<string, unknown>>): Logger {
  const line = (level: keyof Logger): LogLine => {
    return (more, message) => {
      try {
        logger[level]({ ...facts, ...more }, message);
      } catch {
        // There is nowhere left to report it.
      }
    };
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
