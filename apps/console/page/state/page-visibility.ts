/** Is the page looked at? */

import { type Signal, signal } from '@preact/signals';

/** Going to another tab and back is not worth a new stream. */
const HIDDEN_AFTER_MS = 10_000;

/** True once the page has been hidden for a while. */
export const isPageHidden: Signal<boolean> = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (document.visibilityState === 'visible') isPageHidden.value = false;
  else {
    timer = setTimeout(() => {
      isPageHidden.value = true;
    }, HIDDEN_AFTER_MS);
  }
});

/** Resolves when the page is shown, or with the signal. */
export function shown(stop: AbortSignal): Promise<void> {
  if (!isPageHidden.peek() || stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = isPageHidden.subscribe((isHidden) => {
      if (!isHidden) done();
    });
    stop.addEventListener('abort', done, { once: true });
    function done(): void {
      stop.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    }
  });
}
