/** The rows of a scrolled box that are on the screen: only these are in the document. */

import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  /** The height of all rows. */
  readonly height: number;
  readonly scrollTo: (index: number) => void;
  /** The `ref` of rows whose height is measured; they need `data-index`. */
  readonly measure: (row: HTMLElement | null) => void;
  /** Forgets what was measured. */
  readonly forget: () => void;
  readonly isAtEnd: () => boolean;
  readonly scrollToEnd: () => void;
}

/** For rows that come at the end, and may go at the beginning. */
export interface GrowingRows {
  /** Tells a row from others, whatever its index. */
  readonly keyOf: (index: number) => number;
}

/** Of rows that are not quite on the screen. */
const END_PIXELS = 30;

/**
 * Rows of equal height, or of the height that is measured. `growing`: a box that is scrolled to its end stays there; one that is
 * not goes on showing the same rows.
 */
export function useVirtual(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  growing?: GrowingRows,
): VirtualRows {
  const [, repaint] = useReducer((times: number, _event: undefined) => times + 1, 0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => repaint(undefined),
    ...(growing && {
      getItemKey: growing.keyOf,
      anchorTo: 'end' as const,
      followOnAppend: true,
      scrollEndThreshold: END_PIXELS,
    }),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  // The library has no other names for these; its own adapters call them so.
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtualizer._willUpdate());
  const late = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (late.current === undefined || late.current >= count) return;
    virtualizer.scrollToIndex(late.current, { align: 'auto' });
    late.current = undefined;
  });
  return {
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: (index) => {
      // The rows may have grown since they were drawn: the box cannot be scrolled to a row that it has no room for yet.
      late.current = index >= count ? index : undefined;
      virtualizer.scrollToIndex(index, { align: 'auto' });
    },
    measure: virtualizer.measureElement,
    forget: () => virtualizer.measure(),
    isAtEnd: () => virtualizer.isAtEnd(),
    scrollToEnd: () => virtualizer.scrollToEnd(),
  };
}
