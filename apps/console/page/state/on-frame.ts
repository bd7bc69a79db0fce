/** Work that is done once a frame. */

/** A hidden tab gets no frames. */
const HIDDEN_TAB_MS = 500;

/** Runs with the next frame, or a little later where there are no frames. Returns a function that cancels it. */
export function onFrame(run: () => void): () => void {
  let done = false;
  const once = (): void => {
    if (done) return;
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_TAB_MS);
  const cancel = (): void => {
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return cancel;
}
