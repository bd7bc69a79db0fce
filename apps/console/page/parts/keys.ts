/** Keys of the page: one letter each, never while somebody types. */

import { useEffect } from 'preact/hooks';

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Runs the action of a key. The latest map counts. */
export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target)) return;
      const action = keys[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Escape leaves a field, and gives the focus to the main part of the view. */
export function useEscapeFromFields(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null || !isTyping(event.target)) return;
      event.preventDefault();
      if (event.target instanceof HTMLElement) event.target.blur();
      document.querySelector<HTMLElement>('[data-main-focus]')?.focus();
    };
    // Before the keys of the views, for which this one is over.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/** Inside a dialog the keys of the view below it do nothing either. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.closest(FIELDS) !== null;
}
