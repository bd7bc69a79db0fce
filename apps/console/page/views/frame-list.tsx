/** The frames of the inspected watch, newest last, and the bytes of one of them. */

import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { bytesText, clockText } from '../logic/age-text.ts';
import type { WatchFrame } from '../logic/frame-log.ts';
import { hasSecretValues, withoutSecretValues } from '../logic/hidden-secrets.ts';
import { RAW_CHARS, shortText } from '../logic/short-text.ts';
import { useVirtual } from '../parts/use-virtual.ts';

const ROW_HEIGHT = 24;

export function FrameList({ frames }: { readonly frames: readonly WatchFrame[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<WatchFrame>();
  const [isFollowing, setFollowing] = useState(true);
  const { items, height, scrollTo } = useVirtual(box, frames.length, ROW_HEIGHT);
  useEffect(() => {
    if (isFollowing && frames.length > 0) scrollTo(frames.length - 1);
  }, [frames.length, isFollowing]);
  return (
    <section class="frames" aria-label="Frames">
      <div class="frames-head">
        <h2>
          Frames <span class="muted">{frames.length}</span>
        </h2>
        <label class="check">
          <input type="checkbox" checked={isFollowing} onChange={() => setFollowing(!isFollowing)} /> Follow
        </label>
      </div>
      <div
        ref={box}
        class="grid frame-grid"
        role="grid"
        tabIndex={0}
        aria-label="Frames of the watch"
        aria-rowcount={frames.length + 1}
        aria-colcount={7}
      >
        <div class="grid-head frame-row" role="row" aria-rowindex={1}>
          {['#', 'Time', 'Type', 'Version', 'Object', 'Size', 'Delay'].map((name) => (
            <span key={name} role="columnheader" class="head-cell">
              {name}
            </span>
          ))}
        </div>
        <div class="virtual" role="rowgroup" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => {
            const frame = frames[index];
            return (
              frame && (
                <FrameRow
                  key={frame.number}
                  frame={frame}
                  index={index}
                  top={start}
                  isChosen={frame.number === chosen?.number}
                  onChoose={() => choose(frame)}
                />
              )
            );
          })}
        </div>
      </div>
      {chosen !== undefined && <RawFrame key={chosen.number} frame={chosen} onClose={() => choose(undefined)} />}
    </section>
  );
}

interface RowProps {
  readonly frame: WatchFrame;
  readonly index: number;
  readonly top: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function FrameRow({ frame, index, top, isChosen, onChoose }: RowProps): JSX.Element {
  const { number, at, type, resourceVersion, subject, bytes, delay, watch } = frame;
  return (
    <div
      class={`grid-row frame-row frame-${type.toLowerCase()}${isChosen ? ' row-selected' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onChoose}
    >
      <span role="gridcell" title={`watch ${watch}`}>
        {number}
      </span>
      <span role="gridcell">{preciseText(at)}</span>
      <span role="gridcell" class="frame-type">
        <button type="button" class="quiet" tabIndex={-1} onClick={onChoose}>
          {type}
        </button>
      </span>
      <span role="gridcell">{resourceVersion}</span>
      <span role="gridcell" class="cell" title={subject}>
        {subject}
      </span>
      <span role="gridcell">{bytes === 0 ? '' : bytesText(bytes)}</span>
      <span role="gridcell">{delay} ms</span>
    </div>
  );
}

function RawFrame({ frame, onClose }: { readonly frame: WatchFrame; readonly onClose: () => void }): JSX.Element {
  const [isPretty, setPretty] = useState(true);
  const [isShown, setShown] = useState(false);
  const { text, isSecret } = useMemo(() => rawText(frame.raw, isPretty, isShown), [frame, isPretty, isShown]);
  return (
    <section class="raw" aria-label={`Frame ${frame.number}`}>
      <div class="frames-head">
        <h3>Frame {frame.number}</h3>
        {isSecret && (
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide values' : 'Show values'}
          </button>
        )}
        <label class="check">
          <input type="checkbox" checked={isPretty} onChange={() => setPretty(!isPretty)} /> Indented
        </label>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <pre class="scroll" role="region" aria-label="Bytes of the frame" tabIndex={0}>
        {shortText(text, RAW_CHARS)}
      </pre>
    </section>
  );
}

/** The raw bytes, but for the values of Secrets. */
function rawText(
  raw: string,
  isPretty: boolean,
  isShown: boolean,
): { readonly text: string; readonly isSecret: boolean } {
  try {
    const event: { object?: unknown } = JSON.parse(raw);
    const isSecret = hasSecretValues(event.object);
    if (!isPretty && (isShown || !isSecret)) return { text: raw, isSecret };
    const shown = isShown ? event : { ...event, object: withoutSecretValues(event.object) };
    return { text: JSON.stringify(shown, undefined, isPretty ? 2 : 0), isSecret };
  } catch {
    return { text: raw, isSecret: false };
  }
}

function preciseText(at: number): string {
  return `${clockText(at)}.${String(at % 1000).padStart(3, '0')}`;
}
