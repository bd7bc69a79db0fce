/** All jobs of the server: what the worker can do. A job is added here and called by its name. */

/** Jobs by name. The write pipeline calls `run` directly for small bodies. */
export const COMPUTE_JOBS = {} as const;
