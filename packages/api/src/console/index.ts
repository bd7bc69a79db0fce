/** What the console's page and the server tell each other, as types. See docs/design/0032-console.md. */

export type { AuditTrail, AuditTrailEntry } from './audit-trail.ts';
export type { ConsoleSession } from './console-session.ts';
export type { HistoryPoint, HistoryTimeline } from './history-timeline.ts';
export type {
  FlowFacts,
  FlowLevelFacts,
  FlowUseFacts,
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
  WebhookFacts,
} from './server-overview.ts';
export type { RecordedWatch, WatchRecording } from './watch-recording.ts';
