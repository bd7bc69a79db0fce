/** The base of every error this project throws: identity is the `code`, not the class. */

/** An error with a stable code. Compare `code`, never `instanceof`: two copies of a package then still agree. */
export abstract class ListWatchError extends Error {
  /** What went wrong, as a literal that survives minification, bundling and duplicated packages. */
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
