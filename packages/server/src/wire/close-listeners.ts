/** Listeners for the end of a reply. */

/** Calls its listeners once; a listener that is added later is called at once. */
export class CloseListeners {
  #listeners: (() => void)[] | undefined = [];

  get closed(): boolean {
    return this.#listeners === undefined;
  }

  add(listener: () => void): void {
    if (this.#listeners === undefined) listener();
    else this.#listeners.push(listener);
  }

  close(): void {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }
}
