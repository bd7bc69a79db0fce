import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What `npm publish` sends: the manifest of a version, and its tarball in base64. */
interface Published {
  readonly name: string;
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

export interface LocalRegistry {
  readonly address: string;
  /** Arguments that let npm use it with the token of somebody who may publish. */
  readonly memberArgs: readonly string[];
  /** The same for a workflow that npm trusts: it is nobody, and publishes only packages that exist. */
  readonly workflowArgs: readonly string[];
  /** `NAME@VERSION` of all that was published, in order. */
  readonly published: readonly string[];
  close(): Promise<void>;
}

export interface LocalRegistryOptions {
  /** Names that only this registry may have: without it a name that is published for real would come from `upstream`. */
  readonly own: ReadonlySet<string>;
  /** The registry of all other packages. */
  readonly upstream: string;
}

/** A registry in memory, as much of one as publishing and installing need. */
export async function startLocalRegistry({ own, upstream }: LocalRegistryOptions): Promise<LocalRegistry> {
  const packages = new Map<string, Published>();
  const tarballs = new Map<string, Buffer>();
  const published: string[] = [];

  const publish = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent: Published = JSON.parse((await bodyOf(request)).toString());
    const [version = ''] = Object.keys(sent.versions);
    const before = packages.get(sent.name);
    if (before === undefined && !isMember(request)) return answer(response, 404, { error: 'no such package' });
    if (before?.versions[version] !== undefined) return answer(response, 403, { error: 'published before' });
    packages.set(sent.name, { ...sent, versions: { ...before?.versions, ...sent.versions }, _attachments: {} });
    published.push(`${sent.name}@${version}`);
    const { _attachments: attachments } = sent;
    for (const [file, { data }] of Object.entries(attachments))
      tarballs.set(`/${sent.name}/-/${file}`, Buffer.from(data, 'base64'));
    return answer(response, 201, { ok: true });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(request.url ?? '/');
    if (request.method === 'PUT') return publish(request, response);
    if (path === '/-/whoami')
      return isMember(request)
        ? answer(response, 200, { username: 'member' })
        : answer(response, 401, { error: 'nobody' });
    const tarball = tarballs.get(path);
    const found = packages.get(path.slice(1));
    if (tarball !== undefined) response.end(tarball);
    else if (found !== undefined) answer(response, 200, found);
    else if (own.has(path.slice(1))) answer(response, 404, { error: 'Not found' });
    else response.writeHead(302, { location: new URL(request.url?.slice(1) ?? '', upstream).href }).end();
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => answer(response, 500, { error: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}/`;
  const argsOf = (token: string): readonly string[] => [`--registry=http://${host}`, `--//${host}:_authToken=${token}`];
  return {
    address: `http://${host}`,
    memberArgs: argsOf(MEMBER),
    workflowArgs: argsOf('workflow'),
    published,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MEMBER = 'member';

function isMember({ headers }: IncomingMessage): boolean {
  return headers.authorization === `Bearer ${MEMBER}`;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
