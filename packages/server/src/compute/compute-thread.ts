/** Starts the worker thread from its entry file, built or as source. */

import { Worker } from 'node:worker_threads';

/** The entry file of the server's worker: the door of this package, so that the bundle and the sources both find it. */
export function computeEntry(): URL {
  return new URL(import.meta.resolve('@listwatch/server/compute-worker'));
}

/** Starts a thread. It inherits no flags of Node: a preloaded module would be loaded a second time. */
export function startThread(entry: URL, maxHeapMb: number): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb };
  return entry.pathname.endsWith('.ts')
    ? new Worker(sourceLoader(entry), { execArgv: ['--conditions=@listwatch/source'], resourceLimits })
    : new Worker(entry, { execArgv: [], resourceLimits });
}

/** Lets tests and benches run the sources: Node 20 reads no TypeScript, and `--import tsx` does nothing in a worker. */
function sourceLoader(entry: URL): URL {
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const code = `import { register } from ${loader}; register(); await import(${JSON.stringify(entry.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
