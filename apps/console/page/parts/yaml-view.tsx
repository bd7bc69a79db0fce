/** An object as YAML, with parts that fold. */

import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { LINE_CHARS, shortText } from '../logic/short-text.ts';
import { type YamlLine, yamlLines, yamlText } from '../logic/yaml-lines.ts';
import { useVirtual } from './use-virtual.ts';

const LINE_HEIGHT = 20;

export function YamlView({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => yamlLines(value), [value]);
  const shown = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const { items, height } = useVirtual(box, shown.length, LINE_HEIGHT);
  const toggle = (path: string): void => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    setFolded(next);
  };
  const foldAll = (): void =>
    setFolded(new Set(lines.filter(({ below, depth }) => below > 0 && depth <= 1).map(({ path }) => path)));
  return (
    <div class="yaml">
      <div class="yaml-tools">
        <button type="button" onClick={foldAll}>
          Fold
        </button>
        <button type="button" onClick={() => setFolded(new Set())}>
          Unfold
        </button>
        <CopyButton text={() => yamlText(value)} />
        <span class="muted">{lines.length} lines</span>
      </div>
      <div ref={box} class="yaml-box" role="region" aria-label={label} tabIndex={0}>
        <div class="virtual" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => {
            const line = shown[index];
            return (
              line && (
                <div key={line.path} class="yaml-line" style={{ transform: `translateY(${start}px)` }}>
                  <YamlLineView line={line} isFolded={folded.has(line.path)} toggle={toggle} />
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** As it is shown: values of a Secret that are hidden are not copied. */
function CopyButton({ text }: { readonly text: () => string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

interface LineProps {
  readonly line: YamlLine;
  readonly isFolded: boolean;
  readonly toggle: (path: string) => void;
}

function YamlLineView({ line, isFolded, toggle }: LineProps): JSX.Element {
  const { depth, dashes, key, value, type, below, path } = line;
  return (
    <>
      {below > 0 ? (
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded}
          aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${path}`}
          onClick={() => toggle(path)}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      ) : (
        <span class="fold" />
      )}
      <span class="yaml-text">
        {'  '.repeat(depth)}
        {dashes !== '' && <span class="yaml-dash">{dashes}</span>}
        {key !== undefined && <span class="yaml-key">{shortText(key, LINE_CHARS)}</span>}
        {key !== undefined && (value === '' ? ':' : ': ')}
        {value !== '' && <span class={`yaml-${type}`}>{shortText(value, LINE_CHARS)}</span>}
        {isFolded && <span class="muted"> … {below} lines</span>}
      </span>
    </>
  );
}

function visibleLines(lines: readonly YamlLine[], folded: ReadonlySet<string>): readonly YamlLine[] {
  const shown: YamlLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    shown.push(line);
    index += folded.has(line.path) ? line.below + 1 : 1;
  }
  return shown;
}
