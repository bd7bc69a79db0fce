/** The difference of two objects, as lines of YAML. */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type DiffPart, diffLines, withoutSame } from '../logic/line-diff.ts';
import { LINE_CHARS, shortText } from '../logic/short-text.ts';
import { lineText, yamlLines } from '../logic/yaml-lines.ts';

/** A difference with more lines than this is cut: nobody reads it, and the page would not scroll. */
const MAX_PARTS = 3000;

export interface DiffProps {
  readonly before: unknown;
  readonly after: unknown;
  readonly label: string;
}

export function DiffView({ before, after, label }: DiffProps): JSX.Element {
  const parts = useMemo(() => withoutSame(diffLines(textLines(before), textLines(after))), [before, after]);
  const count = (type: DiffPart['type']): number => parts.filter((part) => part.type === type).length;
  const [added, removed] = [count('added'), count('removed')];
  return (
    <div class="diff" role="region" aria-label={label} tabIndex={0}>
      <p class="diff-head">
        {added + removed === 0 ? 'No difference' : ''}
        {added > 0 && <span class="added-text">+{added} </span>}
        {removed > 0 && <span class="removed-text">−{removed}</span>}
      </p>
      {added + removed > 0 &&
        parts.slice(0, MAX_PARTS).map((part, index) => (
          <div key={index} class={`diff-line diff-${part.type}`}>
            {part.type === 'gap'
              ? `… ${part.lines} lines the same`
              : `${MARK[part.type]} ${shortText(part.text, LINE_CHARS)}`}
          </div>
        ))}
      {parts.length > MAX_PARTS && <p class="muted">… and {parts.length - MAX_PARTS} more lines</p>}
    </div>
  );
}

const MARK = { added: '+', removed: '-', same: ' ' };

function textLines(value: unknown): readonly string[] {
  return value === undefined ? [] : yamlLines(value).map(lineText);
}
