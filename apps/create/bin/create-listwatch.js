#!/usr/bin/env node
// `npm create listwatch`: starts a project.

import { createProject } from '../dist/index.js';

process.exitCode = createProject(process.argv.slice(2), { folder: process.cwd(), say: (line) => console.log(line) });
