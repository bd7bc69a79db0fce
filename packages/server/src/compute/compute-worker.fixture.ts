/** The worker of the pool's tests. */

import { parentPort } from 'node:worker_threads';
import { FIXTURE_JOBS } from './compute-jobs.fixture.ts';
import { serveJobs } from './serve-jobs.ts';

if (parentPort !== null) serveJobs(FIXTURE_JOBS, parentPort);
