/** What the console's page learns of its login: `GET /console/session`. */

/** The answer of `GET /console/session`; 401 without a valid login. */
export interface ConsoleSession {
  /** `server`: `listwatch serve` serves the page. `cluster`: `listwatch console` does, in front of any cluster. */
  readonly mode: 'cluster' | 'server';
  /** May the page change objects? False: every write is refused before it reaches the API. */
  readonly write: boolean;
  /** How the page's watches travel. `websocket` where the page is served over HTTP/1.1, which allows six connections. */
  readonly watchOver: 'fetch' | 'websocket';
  /** Does the server answer `/debug/overview` and `/debug/history` for this user? */
  readonly debug: boolean;
  /** The `gitVersion` of `/version`; empty when the server could not be asked. */
  readonly serverVersion: string;
  /** The address of the API server, for people. */
  readonly serverUrl: string;
  /** The name of the user that requests of the page act as. */
  readonly user: string;
  /** The context of the kubeconfig; absent in mode `server`. */
  readonly context?: string | undefined;
  /** When the cookie ends, RFC 3339. The page then says that it must be opened by a new link. */
  readonly expiresAt: string;
}
