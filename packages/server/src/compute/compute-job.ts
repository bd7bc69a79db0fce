/** Jobs: functions of plain data that the worker runs for large bodies. */

/** The functions that a job may call. */
export interface JobContext {
  /** Adds a warning for the client; warnings are kept when the job refuses the request. */
  readonly warn: (message: string) => void;
  /** Decodes a shared value with `read`, once for each key. Throws when the caller did not list the key. */
  readonly shared: <T>(key: string, read: (bytes: Uint8Array) => T) => T;
  /**
   * Asks the caller of the job, one question at a time. Other jobs run until the answer is there. Throws the `StatusError`
   * that the caller answers with.
   */
  readonly ask: (question: object) => Promise<object>;
}

/**
 * A job. Input, output, questions and answers are plain data that a structured clone keeps. Bytes that are members of them cross
 * without being walked: keep everything long in such a member.
 */
export interface ComputeJob<Input extends object, Output extends object> {
  /**
   * Must have no side effects except its questions: the pool may kill it at any point, and restarts it when another job
   * kills the worker while this job waits for an answer. Throws a `StatusError` to refuse the request.
   */
  readonly run: (input: Input, context: JobContext) => Output | Promise<Output>;
}

/** Jobs by name. Messages to the worker carry the name, not the function. */
export type JobTable = Readonly<Record<string, ComputeJob<never, object>>>;

/** The input of a job in a table. */
export type InputOf<Jobs extends JobTable, Name extends keyof Jobs> = Parameters<Jobs[Name]['run']>[0];

/** The output of a job in a table. */
export type OutputOf<Jobs extends JobTable, Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]['run']>>;
