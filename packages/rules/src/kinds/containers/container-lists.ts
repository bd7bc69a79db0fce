/** The fields of a pod spec that hold containers, in the order of kube-apiserver's messages. */
export const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
