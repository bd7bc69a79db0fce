/** For sibling packages only. */

export { linkSignal } from './link-signal.ts';
