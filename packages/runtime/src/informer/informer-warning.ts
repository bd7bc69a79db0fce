/** What an informer has to say to whoever runs it, apart from its status. */

/**
 * - `HANDLER_FAILED`: a handler threw; it gets the next change all the same.
 * - `HANDLER_SLOW`: a handler has been at one change for long; the others go on.
 * - `TRANSFORM_FAILED`: the transform threw; the object is kept as it came.
 * - `INDEX_FAILED`: an index function threw; objects that it cannot take are in none of its values. Told once for an index.
 * - `CHECKPOINT_SET_ASIDE`: a checkpoint is torn or of something else; it costs one list.
 * - `CHECKPOINT_NOT_SAVED`: it will be tried again.
 */
export interface InformerWarning {
  readonly type:
    | 'CHECKPOINT_NOT_SAVED'
    | 'CHECKPOINT_SET_ASIDE'
    | 'HANDLER_FAILED'
    | 'HANDLER_SLOW'
    | 'INDEX_FAILED'
    | 'TRANSFORM_FAILED';
  readonly message: string;
  /** The object that it is about. */
  readonly key?: string | undefined;
  readonly error?: unknown;
}

export type WarningSink = (warning: InformerWarning) => void;

/** The same sink, and what it throws is its own business: it must not end the informer that has something to say. */
export function unfailing(sink: WarningSink): WarningSink {
  return (warning) => {
    try {
      sink(warning);
    } catch {
      // There is nobody left to tell.
    }
  };
}

/** Where warnings go when nobody asks for them: lost ones would hide a handler that never works. */
export function warnOnConsole({ type, message, key, error }: InformerWarning): void {
  const about = key === undefined ? '' : ` (${key})`;
  globalThis.console.warn(`listwatch: ${type}${about}: ${message}`, ...(error === undefined ? [] : [error]));
}
