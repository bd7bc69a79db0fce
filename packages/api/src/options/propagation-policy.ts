/** What becomes of the objects that a deleted object owns: deleted after it, before it, or kept. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';
