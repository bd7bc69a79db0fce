/** `npm create listwatch` as a function. */

export { type CreateHost, createProject } from './create-project.ts';
export { type ScaffoldOptions, scaffold, TEMPLATES, type TemplateName } from './scaffold.ts';
