/** A Kubernetes API server in your test process. Start at `startTestServer`. */

export type { Clock } from '@listwatch/api';
