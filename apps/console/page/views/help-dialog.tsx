/** The keys of the page. */

import { type Signal, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';

export const isHelpOpen: Signal<boolean> = signal(false);

const KEYS = [
  ['/', 'search'],
  ['j, k or ↓, ↑', 'next, previous row'],
  ['Enter', 'open the row'],
  ['y', 'YAML of the row or object'],
  ['l', 'logs of the Pod'],
  ['d', 'difference to the version before'],
  ['[ and ]', 'one version back, one forward'],
  ['Esc', 'leave a field; back from an object to its table'],
  ['?', 'this help'],
] as const;

export function HelpDialog(): JSX.Element | null {
  if (!isHelpOpen.value) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
