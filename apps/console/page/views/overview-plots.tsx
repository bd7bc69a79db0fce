/** The plots of the last hour. */

import type { OverviewMetric, OverviewSeries } from '@listwatch/api/console';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { bytesText, numberText, secondsText } from '../logic/age-text.ts';
import { Plot, type PlotLine } from '../parts/plot.tsx';

/** Requests have a line for each verb and code; the busiest are drawn. */
const MAX_REQUEST_LINES = 6;

export function OverviewPlots({ series }: { readonly series: OverviewSeries }): JSX.Element {
  const line = (metric: OverviewMetric, label: string): PlotLine => ({
    label,
    values: series.lines.find((each) => each.metric === metric)?.values ?? series.times.map(() => null),
  });
  const lines = useMemo(
    () => ({
      changes: [line('changesPerSecond', '')],
      deliveries: [line('deliveriesPerSecond', '')],
      latency: [line('deliveryP50', 'p50'), line('deliveryP99', 'p99')],
      loop: [line('eventLoopP50', 'p50'), line('eventLoopP99', 'p99')],
      memory: [line('residentBytes', 'resident'), line('heapBytes', 'heap')],
      requests: requestLines(series),
    }),
    [series],
  );
  return (
    <div class="plots">
      <Plot title="Changes a second" times={series.times} lines={lines.changes} format={numberText} />
      <Plot title="Deliveries a second" times={series.times} lines={lines.deliveries} format={numberText} />
      <Plot title="Delivery latency" times={series.times} lines={lines.latency} format={secondsText} />
      <Plot title="Event loop delay" times={series.times} lines={lines.loop} format={secondsText} />
      <Plot title="Memory" times={series.times} lines={lines.memory} format={bytesText} isBinary />
      <Plot title="Requests a second" times={series.times} lines={lines.requests} format={numberText} />
    </div>
  );
}

function sum({ values }: { readonly values: readonly (number | null)[] }): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function requestLines(series: OverviewSeries): readonly PlotLine[] {
  const lines = series.lines
    .filter(({ metric }) => metric === 'requestsPerSecond')
    .toSorted((a, b) => sum(b) - sum(a))
    .slice(0, MAX_REQUEST_LINES)
    .map(({ labels, values }) => ({ label: labels === undefined ? '' : `${labels.verb} ${labels.code}`, values }));
  return lines.length > 0 ? lines : [{ label: '', values: series.times.map(() => null) }];
}
