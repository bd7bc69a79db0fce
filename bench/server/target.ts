/** A server that is measured: ours, or any other that was named on the command line. */

/** Where it is, who we are to it, and whose CPU is counted. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** The process whose CPU and memory are the server's. */
  readonly pid: number;
  /** Gives back garbage before memory is measured; absent: this server cannot be asked to. */
  readonly collect?: (() => Promise<void>) | undefined;
  /** Collects garbage and says what is left, by part; absent: this server cannot be asked to. */
  readonly memory?: (() => Promise<MemoryParts>) | undefined;
}

/** Memory of a server after a garbage collection, in bytes. */
export interface MemoryParts {
  /** Objects of the main thread. */
  readonly heapUsed: number;
  /** What V8 has taken for them from the system. */
  readonly heapTotal: number;
  /** Outside of the heap, `arrayBuffers` included. */
  readonly external: number;
  readonly arrayBuffers: number;
  /** All threads, and the pages of files that are mapped. */
  readonly rss: number;
}

/** Reads `name=url,token,pid`. Throws a `TypeError` for anything else. */
export function parseTarget(text: string): Target {
  const match = /^(?<name>[^=]+)=(?<url>https:\/\/[^,]+),(?<token>[^,]*),(?<pid>\d+)$/u.exec(text);
  if (match?.groups === undefined) throw new TypeError(`a target is name=https://host:port,token,pid, not ${text}`);
  const { name = '', url = '', token = '', pid = '' } = match.groups;
  return { name, url: url.replace(/\/$/u, ''), token, pid: Number(pid) };
}
