/** The door for Node: everything of `index.ts`, and what needs files. */

export * from './index.ts';
