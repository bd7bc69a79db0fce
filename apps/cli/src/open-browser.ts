/** Opens a link in the user's browser. */

import { type SpawnOptions, spawn } from 'node:child_process';

/** A program, its arguments, and what it reads. */
interface Opener {
  readonly command: string;
  readonly args: readonly string[];
  readonly input?: string;
}

/** How a system opens a link. */
export function openerOf(platform: NodeJS.Platform, url: string): Opener {
  // Not as an argument, which every user of the machine can read.
  if (platform === 'darwin') return { command: 'osascript', args: ['-'], input: `open location "${url}"\n` };
  // `start` would take the `&` of a URL for a second command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  return { command: 'xdg-open', args: [url] };
}

/** Resolves with whether a program took it; it never rejects, and it does not wait for the browser. */
export function openBrowser(
  url: string,
  { env, platform = process.platform }: { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform },
): Promise<boolean> {
  const { command, args, input } = openerOf(platform, url);
  const options: SpawnOptions = {
    env,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
  };
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    // The browser may be this program itself, and stays open longer than the command.
    child.unref();
  });
}
