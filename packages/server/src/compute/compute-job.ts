/** Jobs: pure functions of plain data that run on the main thread for small bodies and in the worker for large ones. */

/** What a job may use beside its input. */
export interface JobContext {
  /** Adds a warning for the client; warnings are kept when the job refuses the request. */
  readonly warn: (message: string) => void;
  /** What `read` makes of a shared value, made once for each key. Throws when the caller did not name the key. */
  readonly shared: <T>(key: string, read: (bytes: Uint8Array) => T) => T;
}

/**
 * A job. Input and output are plain data that a structured clone keeps. Bytes that are members of them cross without
 * being walked: keep everything long in such a member.
 */
export interface ComputeJob<Input extends object, Output extends object> {
  /** Loads what `run` needs, such as the schema of a kind. Default: nothing. */
  readonly load?: ((input: Input) => Promise<void> | undefined) | undefined;
  /** Synchronous, without effects: it may be killed at any point. Throws a `StatusError` to refuse the request. */
  readonly run: (input: Input, context: JobContext) => Output;
}

/** Jobs by their names, which are all that crosses to the worker. */
export type JobTable = Readonly<Record<string, ComputeJob<never, object>>>;

/** The input of a job in a table. */
export type InputOf<Jobs extends JobTable, Name extends keyof Jobs> = Parameters<Jobs[Name]['run']>[0];

/** The output of a job in a table. */
export type OutputOf<Jobs extends JobTable, Name extends keyof Jobs> = ReturnType<Jobs[Name]['run']>;

/** A value that many jobs need, such as the stored bytes of a CustomResourceDefinition: sent once to each worker. */
export interface SharedValue {
  /** Another value has another key: name the version in it. */
  readonly key: string;
  readonly bytes: Uint8Array;
}
