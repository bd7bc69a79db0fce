/** The door for Node: everything of `index.ts`, and what needs files. */

export { type FileCheckpointOptions, fileCheckpoint } from './checkpoint/file-checkpoint.ts';
export * from './index.ts';
