/** The log that servers and operators share. */

export { type CreateLogOptions, createLog, type LogOutput } from './create-log.ts';
export { type ErrorFacts, errorFacts } from './error-facts.ts';
