/** Light, dark, or as the system has it. */

import { effect, type Signal, signal } from '@preact/signals';

export const THEMES = ['dark', 'light', 'system'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'listwatch-theme';

export const theme: Signal<Theme> = signal(storedTheme());

/** Is the page dark now? Plots ask, which draw on a canvas. */
export const isDark: Signal<boolean> = signal(false);

/** Applies the theme to the document, now and on each change. */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const update = (): void => {
    isDark.value = theme.value === 'dark' || (theme.value === 'system' && system.matches);
  };
  system.addEventListener('change', update);
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    update();
    try {
      localStorage.setItem(KEY, theme.value);
    } catch {
      // Storage may be switched off; the choice then lasts as long as the page.
    }
  });
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : 'system';
  } catch {
    return 'system';
  }
}
