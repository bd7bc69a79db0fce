/** The address of the page as a signal. */

import { type Signal, signal } from '@preact/signals';
import { type Address, parseAddress, printAddress } from '../logic/address.ts';

export const address: Signal<Address> = signal(parseAddress(location.hash));

addEventListener('hashchange', () => {
  address.value = parseAddress(location.hash);
});

/** Goes to another address; Back returns. */
export function go(next: Address): void {
  location.hash = printAddress(next);
}

/** Changes the address in place: of what is typed or dragged, Back need not show each step. */
export function replace(next: Address): void {
  history.replaceState(null, '', printAddress(next));
  address.value = parseAddress(location.hash);
}

/** For links. */
export function href(next: Address): string {
  return printAddress(next);
}
