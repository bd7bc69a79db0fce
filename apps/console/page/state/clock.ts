/** The time, once a second, for ages. */

import { type Signal, signal } from '@preact/signals';

export const now: Signal<number> = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
