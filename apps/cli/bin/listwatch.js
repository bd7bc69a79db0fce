#!/usr/bin/env node
// The `listwatch` command: the built program, or its sources where there is no build or the sources are asked for.

import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';

const CONDITION = '@listwatch/source';
const built = new URL('../dist/index.js', import.meta.url);
const source = new URL('../src/index.ts', import.meta.url);

/** `node --conditions=@listwatch/source` asks for the sources, so that a stale build is not run by mistake. */
const sourcesAsked = process.execArgv.some((flag) => flag.includes(CONDITION));

async function load() {
  if (!sourcesAsked && existsSync(built)) return import(built.href);
  if (!existsSync(fileURLToPath(source))) throw new Error('there is neither a build nor a source of listwatch here');
  modules.register('./source-condition.js', import.meta.url);
  const tsx = await import('tsx/esm/api');
  tsx.register();
  return import(source.href);
}

// Node 22 and newer keep the compiled code of the last run, and are ready sooner.
modules.enableCompileCache?.();

const { main } = await load();
await main();
