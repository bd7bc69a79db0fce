/** What an informer has to say to whoever runs it, apart from its status. */

/**
 * - `HANDLER_FAILED`: a handler threw; it gets the next change all the same.
 * - `HANDLER_SLOW`: a handler has been at one change for long; the others go on.
 * - `TRANSFORM_FAILED`: the transform threw; the object is kept as it came.
 * - `CHECKPOINT_SET_ASIDE`: a checkpoint is torn or of something else; it costs one list.
 * - `CHECKPOINT_NOT_SAVED`: it will be tried again.
 */
export interface InformerWarning {
  readonly type:
    | 'CHECKPOINT_NOT_SAVED'
    | 'CHECKPOINT_SET_ASIDE'
    | 'HANDLER_FAILED'
    | 'HANDLER_SLOW'
    | 'TRANSFORM_FAILED';
  readonly message: string;
  /** The object that it is about. */
  readonly key?: string | undefined;
  readonly error?: unknown;
}

export type WarningSink = (warning: InformerWarning) => void;

/** Where warnings go when nobody asks for them: lost ones would hide a handler that never works. */
export function warnOnConsole({ type, message, key, error }: InformerWarning): void {
  const about = key === undefined ? '' : ` (${key})`;
  globalThis.console.warn(`listwatch: ${type}${about}: ${message}`, ...(error === undefined ? [] : [error]));
}
