/** A plot of the last hour. */

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clockText } from '../logic/age-text.ts';
import { isDark } from '../state/theme.ts';

export interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export interface PlotProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly format: (value: number) => string;
  /** Bytes: the lines of the grid stand at powers of two. */
  readonly isBinary?: boolean | undefined;
}

const BINARY_STEPS = Array.from({ length: 40 }, (_, power) => 2 ** power);

const HEIGHT = 120;
const COLORS = {
  light: ['#1d4ed8', '#b45309', '#047857', '#be123c', '#6d28d9', '#0e7490'],
  dark: ['#60a5fa', '#fbbf24', '#34d399', '#fb7185', '#a78bfa', '#22d3ee'],
};

export function Plot({ title, times, lines, format, isBinary = false }: PlotProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const dark = isDark.value;
  const labels = lines.map(({ label }) => label).join('\n');
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = [[...times], ...lines.map(({ values }) => [...values])];

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const ink = dark ? '#94a3b8' : '#64748b';
    const grid = { stroke: dark ? '#1e293b' : '#e2e8f0', width: 1 };
    const colors = dark ? COLORS.dark : COLORS.light;
    const axis = { stroke: ink, grid, ticks: { show: false }, font: '11px system-ui' };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: (_, __, most) => [0, Math.max(most, Number.EPSILON) * 1.1] } },
        axes: [
          { ...axis, size: 24, values: (_, splits) => axisTimes(splits) },
          {
            ...axis,
            ...(isBinary ? { incrs: BINARY_STEPS } : {}),
            size: 56,
            values: (_, splits) => splits.map((value) => format(value)),
          },
        ],
        series: [
          {},
          ...labels.split('\n').map((label, index) => ({
            label,
            stroke: colors[index % colors.length] ?? ink,
            width: 1.5,
            // A latency is known only where something was delivered: a few values are shown as points, too.
            spanGaps: true,
            points: { show: isSparse(data.current[index + 1]), size: 4 },
          })),
        ],
      },
      data.current,
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [labels, dark, format]);

  useEffect(() => {
    plot.current?.setData(data.current);
  }, [times, lines]);

  return (
    <figure class="plot">
      <figcaption>
        {title}
        <PlotLegend lines={lines} format={format} />
      </figcaption>
      <div ref={box} class="plot-box" role="img" aria-label={plotText(title, lines, format)} />
    </figure>
  );
}

/** The times of an axis; with seconds where minutes would repeat. */
function axisTimes(splits: readonly number[]): string[] {
  const [first = 0, second = 60] = splits;
  const withSeconds = second - first < 60;
  return splits.map((seconds) => {
    const text = clockText(seconds * 1000);
    return withSeconds ? text : text.slice(0, 5);
  });
}

/** Are there too few values for a line? */
function isSparse(values: ArrayLike<number | null | undefined> | undefined): boolean {
  return Array.from(values ?? []).filter((value) => typeof value === 'number').length < 30;
}

function PlotLegend({ lines, format }: Pick<PlotProps, 'format' | 'lines'>): JSX.Element {
  return (
    <span class="legend">
      {lines.map((line, index) => (
        <span key={line.label} class={`legend-item line-${index % COLORS.light.length}`}>
          {line.label === '' ? '' : `${line.label} `}
          <b>{latest(line, format)}</b>
        </span>
      ))}
    </span>
  );
}

function latest({ values }: PlotLine, format: (value: number) => string): string {
  const last = values.findLast((value) => value !== null);
  return last === undefined || last === null ? '–' : format(last);
}

function plotText(title: string, lines: readonly PlotLine[], format: (value: number) => string): string {
  return `${title}, last hour. Now: ${lines.map((line) => `${line.label} ${latest(line, format)}`).join(', ')}`;
}
