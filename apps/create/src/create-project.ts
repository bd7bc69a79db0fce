import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scaffold, TEMPLATES } from './scaffold.ts';

export interface CreateHost {
  readonly folder: string;
  readonly say: (line: string) => void;
}

const USAGE = `usage: npm create listwatch FOLDER [-- --template ${TEMPLATES.join('|')}] [--kind Website] [--group example.com]`;

/** The command: writes a project and says what to do next. Gives the exit code. */
export function createProject(args: readonly string[], { folder, say }: CreateHost): number {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string', default: 'operator' },
        kind: { type: 'string' },
        group: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [target, ...more] = positionals;
    if (values.help || target === undefined || more.length > 0) {
      say(USAGE);
      return values.help ? 0 : 2;
    }
    const template = TEMPLATES.find((name) => name === values.template);
    if (template === undefined)
      throw new TypeError(`--template must be ${TEMPLATES.join(' or ')}, got "${values.template}"`);
    const path = resolve(folder, target);
    const files = scaffold(path, { template, name: basename(path), kind: values.kind, group: values.group });
    say(`${files.length} files in ${path}. Next:`);
    for (const line of [`cd ${target}`, 'npm install', 'npm test', 'npm start']) say(`  ${line}`);
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    say(`${error.message}\n${USAGE}`);
    return 2;
  }
}
