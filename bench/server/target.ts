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
}

/** Reads `name=url,token,pid`. Throws a `TypeError` for anything else. */
export function parseTarget(text: string): Target {
  const match = /^(?<name>[^=]+)=(?<url>https:\/\/[^,]+),(?<token>[^,]*),(?<pid>\d+)$/u.exec(text);
  if (match?.groups === undefined) throw new TypeError(`a target is name=https://host:port,token,pid, not ${text}`);
  const { name = '', url = '', token = '', pid = '' } = match.groups;
  return { name, url: url.replace(/\/$/u, ''), token, pid: Number(pid) };
}
