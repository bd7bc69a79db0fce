/** The entry file of the worker thread: a door of the package, never imported. */

import { parentPort } from 'node:worker_threads';
import { COMPUTE_JOBS } from './compute-jobs.ts';
import { serveJobs } from './serve-jobs.ts';

if (parentPort !== null) serveJobs(COMPUTE_JOBS, parentPort);
