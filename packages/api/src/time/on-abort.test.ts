import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('tells everybody, in the order in which they came, and is one listener to the signal', () => {
    const { signal, abort } = controller();
    const heard: number[] = [];
    for (let i = 0; i < 100; i += 1) onAbort(signal, () => heard.push(i));
    expect(listeners(signal)).toBe(1);
    abort();
    expect(heard).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('leaves nothing on the signal when the last has taken it back, and can begin anew', () => {
    const { signal, abort } = controller();
    const heard: string[] = [];
    const hear = (): unknown => heard.push('a');
    const [off, offToo] = [onAbort(signal, hear), onAbort(signal, hear)];
    off();
    expect(listeners(signal)).toBe(1);
    offToo();
    expect(listeners(signal)).toBe(0);
    onAbort(signal, () => heard.push('b'));
    // Late, and of a life before: they must not take the new one with them.
    off();
    offToo();
    expect(listeners(signal)).toBe(1);
    abort();
    expect(heard).toEqual(['b']);
  });

  it('does not tell one whom another has taken back meanwhile', () => {
    const { signal, abort } = controller();
    const heard: string[] = [];
    const offs: (() => void)[] = [];
    onAbort(signal, () => offs.forEach((off) => off()));
    offs.push(onAbort(signal, () => heard.push('taken back')));
    abort();
    expect(heard).toEqual([]);
  });

  it('says nothing of a signal that is aborted already, or of none', () => {
    onAbort(AbortSignal.abort(), () => expect.unreachable())();
    onAbort(undefined, () => expect.unreachable())();
  });
});

function controller(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort() };
}
