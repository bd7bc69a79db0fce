/** The channels of one generation of a cache: found by scope and form, counted and limited. */

import { tooManyRequests } from '@listwatch/api';
import type { WatchForm } from '../answer/watch-form.ts';
import type { CacheBudgets } from '../cache/cache-budgets.ts';
import { selectorBytes, type WatchScope } from '../cache/watch-scope.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import { Channel, channelId } from './channel.ts';

/** How many channels all kinds have together. */
export interface ChannelCount {
  channels: number;
}

/** A refused watch should not be tried again at once: a place becomes free when another watch ends. */
const RETRY_AFTER_SECONDS = 10;

/** Watches of the same scope and form get the same channel, and with it the same parsed selectors. */
export class ChannelTable {
  readonly #layout: ReadLayout;
  readonly #budgets: CacheBudgets;
  readonly #count: ChannelCount;
  readonly #channels = new Map<string, Channel>();

  /** `count` is shared by the tables of all kinds. */
  constructor(layout: ReadLayout, budgets: CacheBudgets, count: ChannelCount) {
    this.#layout = layout;
    this.#budgets = budgets;
    this.#count = count;
  }

  get size(): number {
    return this.#channels.size;
  }

  /** Throws the 429 when there is neither such a channel nor room for another one, or no room for what the request keeps. */
  requireRoom(scope: WatchScope, form: WatchForm, keptBytes: number): void {
    const { selectors, maxChannels } = this.#budgets;
    const isKnown = this.#channels.has(channelId(scope, form));
    if (!isKnown && this.#count.channels >= maxChannels) {
      const why = `the server has ${this.#count.channels} watches with different selectors, which is the limit`;
      throw tooManyRequests(
        `too many watches: ${why}; use the same selectors or end other watches`,
        RETRY_AFTER_SECONDS,
      );
    }
    const bytes = keptBytes + (isKnown ? 0 : selectorBytes(scope));
    if (bytes > 0 && selectors.used + bytes > selectors.maxBytes) {
      const why = `the selectors of all watches would take more than ${selectors.maxBytes} bytes`;
      throw tooManyRequests(
        `too many watches: ${why}; use shorter selectors or end other watches`,
        RETRY_AFTER_SECONDS,
      );
    }
  }

  /** The channel for a scope and form; undefined when there is no room for another one. `release` it once. */
  acquire(scope: WatchScope, form: WatchForm): Channel | undefined {
    const known = this.#channels.get(channelId(scope, form));
    if (known !== undefined) {
      known.users += 1;
      return known;
    }
    const channel = new Channel(this.#layout, scope, form);
    const { selectors, maxChannels } = this.#budgets;
    if (this.#count.channels >= maxChannels || !selectors.tryCharge(channel.bytes)) return undefined;
    this.#count.channels += 1;
    this.#channels.set(channel.id, channel);
    channel.users = 1;
    return channel;
  }

  /** A watch does not use the channel any more; the last one removes it. */
  release(channel: Channel): void {
    channel.users -= 1;
    if (channel.users > 0) return;
    this.#channels.delete(channel.id);
    this.#count.channels -= 1;
    this.#budgets.selectors.charge(-channel.bytes);
  }
}
