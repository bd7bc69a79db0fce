/** The page of the test: runs a command and shows what it says, then attaches to a terminal. */

import { attach, type BrowserServerOptions, connect, exec } from '@listwatch/client';

// As much of the browser as is used: its types and those of Node do not live well in one program.
declare const document: { getElementById(id: string): { textContent: string } | null };
declare const location: { readonly origin: string; readonly hash: string };

function show(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
}

const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const options: BrowserServerOptions = { server: location.origin, token };
const cluster = await connect(options);
const pod = { namespace: 'default', name: 'web' };

const sorting = await exec(cluster, pod, { command: ['sort'], stdin: ['b\n', 'a\n'] });
show('sorted', JSON.stringify(await sorting.output()));
const failing = await exec(cluster, pod, { command: ['sh', '-c', 'echo oh >&2; exit 7'] });
show('failed', JSON.stringify(await failing.output()));
const missing = await exec(cluster, { ...pod, name: 'missing' }, { command: ['ls'] }).catch((error: unknown) => error);
show('missing', String(missing));
const attached = await attach(cluster, pod, { stdin: true });
await attached.stdin.write('hello\n');
for await (const line of attached.stdout.lines()) {
  show('attached', line);
  attached.close();
  break;
}
show('done', 'yes');
