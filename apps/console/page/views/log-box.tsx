/** The lines of a log: only those on the screen are in the document. */

import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { LogView } from '../logic/address.ts';
import { ansiSpans } from '../logic/log/ansi-text.ts';
import type { PodLogLine } from '../logic/log/log-content.ts';
import { filterPattern, matchParts } from '../logic/log/log-filter.ts';
import { LINE_CHARS, shortText } from '../logic/short-text.ts';
import { useVirtual } from '../parts/use-virtual.ts';

const LINE_HEIGHT = 20;

interface BoxProps {
  readonly label: string;
  readonly lines: readonly PodLogLine[];
  readonly view: LogView;
  readonly emptyText: string;
}

export function LogBox({ label, lines, view, emptyText }: BoxProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const keyOf = (index: number): number => lines[index]?.number ?? index;
  const { items, height, measure, forget, isAtEnd, scrollToEnd } = useVirtual(box, lines.length, LINE_HEIGHT, {
    keyOf,
  });
  const pattern = useMemo(() => filterPattern(view.filter), [view.filter]);
  const wasAtEnd = useRef(true);
  // Other heights, other lines: whoever was at the end is there again.
  useLayoutEffect(() => {
    forget();
    if (wasAtEnd.current) scrollToEnd();
  }, [view.wrap, view.times, view.filter]);
  const isFollowing = lines.length === 0 || isAtEnd();
  wasAtEnd.current = isFollowing;
  return (
    <div class="log-frame">
      <div
        ref={box}
        class={view.wrap ? 'log-box log-wrap' : 'log-box'}
        role="region"
        aria-label={label}
        data-main-focus
        data-following={isFollowing}
        tabIndex={0}
      >
        <div class="virtual" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => {
            const line = lines[index];
            return (
              line && (
                <div
                  key={line.number}
                  ref={view.wrap ? measure : null}
                  data-index={index}
                  class={line.type === 'line' ? 'log-line' : `log-line log-${line.type}`}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LineText line={line} withTime={view.times} pattern={pattern} />
                </div>
              )
            );
          })}
        </div>
        {lines.length === 0 && <p class="empty">{emptyText}</p>}
      </div>
      {!isFollowing && (
        <button type="button" class="primary log-end" onClick={scrollToEnd}>
          Go to the end ↓
        </button>
      )}
    </div>
  );
}

interface TextProps {
  readonly line: PodLogLine;
  readonly withTime: boolean;
  readonly pattern: RegExp | undefined;
}

function LineText({ line, withTime, pattern }: TextProps): JSX.Element {
  return useMemo(() => {
    const { text, time } = line;
    return (
      <>
        {withTime && time !== '' && <span class="log-time">{time} </span>}
        {ansiSpans(shortText(text, LINE_CHARS)).map((span, place) => (
          <span key={String(place)} class={span.style}>
            {matchParts(span.text, pattern).map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}
          </span>
        ))}
        {text === '' && ' '}
      </>
    );
  }, [line, withTime, pattern]);
}
