/** The controllers that a Kubernetes API needs to feel alive. */

export type { BuiltInController, ControllerSurroundings } from './built-in-controller.ts';
