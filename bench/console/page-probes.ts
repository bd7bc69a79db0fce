/**
 * What is measured inside the page. Texts, because the loader of TypeScript puts helpers into functions that a page does not
 * have.
 */

/** Before the page loads: notes when the first row is there, and when the key `j` has chosen it. */
export const NOTE_FIRST_ROW = `{
  const noted = {};
  globalThis.benchNoted = new Promise((resolve) => {
    const look = () => {
      if (noted.rowMs === undefined && document.querySelector('.grid-row') !== null) noted.rowMs = performance.now();
      if (noted.rowMs !== undefined) dispatchEvent(new KeyboardEvent('keydown', { key: 'j', cancelable: true }));
      if (document.querySelector('.row-selected') === null) return requestAnimationFrame(look);
      noted.chosenMs = performance.now();
      resolve(noted);
    };
    requestAnimationFrame(look);
  });
}`;

/** Milliseconds since the navigation began. */
export interface FirstRow {
  readonly rowMs: number;
  /** The first row could be chosen by keyboard: the page is interactive. */
  readonly chosenMs: number;
}

/** The times of all frames of some seconds. */
export function frameTimes(seconds: number): string {
  return `new Promise((resolve) => {
    const times = [];
    const next = (time) => {
      times.push(time);
      if (time - times[0] < ${seconds * 1000}) requestAnimationFrame(next);
      else resolve(times);
    };
    requestAnimationFrame(next);
  })`;
}
