// client-node's informer on the ConfigMaps of a namespace, for the programs that measure it.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

/** What it is to talk to; `informer` makes the informer, which is not started. */
export function clientNode(url, token, namespace) {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'c', server: url, skipTLSVerify: true }],
    users: [{ name: 'u', token }],
    contexts: [{ name: 'c', cluster: 'c', user: 'u' }],
    currentContext: 'c',
  });
  return {
    informer() {
      const api = config.makeApiClient(CoreV1Api);
      const list = () => api.listNamespacedConfigMap({ namespace });
      return makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
    },
  };
}
