/** What can wait a moment on Node. */

/** In a millisecond: no timer of Node is shorter. */
export function soon(task: () => void): void {
  setTimeout(task, 1);
}
