/** The door for Node: everything of `index.ts`, and what needs files, sockets and processes. */

export * from './index.ts';
