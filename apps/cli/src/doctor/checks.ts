/** Every check, in the order in which they are reported. */

import type { Check } from './check.ts';
import { bookmarksCheck } from './checks/bookmarks-check.ts';
import { clockCheck } from './checks/clock-check.ts';
import { compressionCheck } from './checks/compression-check.ts';
import { costCheck } from './checks/cost-check.ts';
import { discoveryCheck } from './checks/discovery-check.ts';
import { fairnessCheck } from './checks/fairness-check.ts';
import { historyCheck } from './checks/history-check.ts';
import { http2Check } from './checks/http2-check.ts';
import { latencyCheck } from './checks/latency-check.ts';
import { pagingCheck } from './checks/paging-check.ts';
import { permissionsCheck } from './checks/permissions-check.ts';
import { quietCheck } from './checks/quiet-check.ts';
import { rttCheck } from './checks/rtt-check.ts';
import { serverCheck } from './checks/server-check.ts';
import { versionsCheck } from './checks/versions-check.ts';
import { watchListCheck } from './checks/watch-list-check.ts';

export const CHECKS: readonly Check[] = [
  serverCheck,
  rttCheck,
  clockCheck,
  discoveryCheck,
  permissionsCheck,
  http2Check,
  pagingCheck,
  versionsCheck,
  historyCheck,
  watchListCheck,
  bookmarksCheck,
  quietCheck,
  latencyCheck,
  fairnessCheck,
  costCheck,
  compressionCheck,
];
