import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the files of a folder, which ends in a slash, and what `door` takes. */
export function pageServer(
  folder: string,
  door: (request: IncomingMessage, response: ServerResponse) => boolean,
): Server {
  return createServer((request, response) => {
    if (door(request, response)) return;
    const file = fileOf(folder, request.url ?? '/');
    if (file === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(readFileSync(file));
  });
}

/** Strangers ask for what is no URL, for folders, and for files outside: an exception would end the program. */
function fileOf(folder: string, url: string): string | undefined {
  if (!URL.canParse(url, 'http://localhost')) return undefined;
  const { pathname } = new URL(url, 'http://localhost');
  const file = join(folder, pathname === '/' ? 'index.html' : pathname);
  return file.startsWith(folder) && existsSync(file) && statSync(file).isFile() ? file : undefined;
}
