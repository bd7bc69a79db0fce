/** What the console's page and the server tell each other, as types. See docs/design/0032-console.md. */

export type { ConsoleSession } from './console-session.ts';
export type { HistoryPoint, HistoryTimeline } from './history-timeline.ts';
export type {
  HealthFact,
  HealthFacts,
  KindFacts,
  OverviewLine,
  OverviewMetric,
  OverviewSeries,
  ProcessFacts,
  ServerFacts,
  ServerOverview,
  StorageFacts,
} from './server-overview.ts';
export type { RecordedWatch, WatchRecording } from './watch-recording.ts';
