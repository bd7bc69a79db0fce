/** The door for Node: everything of `index.ts`, and what needs files. */

export { fileCheckpoint } from './checkpoint/file-checkpoint.ts';
export * from './index.ts';
