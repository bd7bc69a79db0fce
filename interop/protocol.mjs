/** The protocol of interop/README.md for programs in JavaScript. */

import { createInterface } from 'node:readline';

/** Thrown by a command that the client has no API for. */
export class NotOffered extends Error {}

/** Answers each line of the standard input with its handler, until `end`. A handler returns the lines before `ok`. */
export async function answerCommands(handlers) {
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, ...args] = line.split(' ');
    const answer = await answerOf(handlers[command], args);
    process.stdout.write(`${answer.join('\n')}\n`);
    if (command === 'end') process.exit(0);
  }
}

async function answerOf(handler, args) {
  try {
    if (handler === undefined) throw new NotOffered('there is no command for it');
    return [...((await handler(...args)) ?? []), 'ok'];
  } catch (error) {
    const text = String(error?.stack ?? error)
      .replaceAll('\n', ' ')
      .slice(0, 500);
    return [error instanceof NotOffered ? `not-offered ${error.message}` : `failed ${text}`];
  }
}

/** `= NAMESPACE/NAME RESOURCEVERSION` for each object. */
export function objectLines(objects) {
  return [...objects].map(({ metadata }) => `= ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`);
}

/** Resolves as soon as the condition is true; rejects after the time. */
export async function until(condition, what, ms = 60_000) {
  for (const end = Date.now() + ms; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
