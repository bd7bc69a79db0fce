package dev.listwatch.interop;

import static dev.listwatch.interop.Protocol.NAMESPACE;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.Watch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The scenario with the official Java client: lists, watches and the informers of SharedInformerFactory. */
public final class Official {
  private final ApiClient client;
  private final CoreV1Api api;
  private final Map<String, SharedIndexInformer<V1ConfigMap>> informers = new HashMap<>();

  private Official() throws Exception {
    client = Config.fromConfig(System.getenv("KUBECONFIG"));
    client.setHttpClient(client.getHttpClient().newBuilder().readTimeout(Duration.ZERO).build());
    api = new CoreV1Api(client);
  }

  private CoreV1Api.APIlistNamespacedConfigMapRequest request() {
    return api.listNamespacedConfigMap(NAMESPACE);
  }

  private static void print(V1ConfigMap object) {
    Protocol.entry(keyOf(object), object.getMetadata().getResourceVersion());
  }

  private static String keyOf(V1ConfigMap object) {
    return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }

  private void handle(String command, String first, String second) throws Exception {
    switch (command) {
      case "hello" -> {
        Protocol.say("version " + Protocol.versionOf(Config.class));
        Protocol.say("view informer");
      }
      case "discover" -> discover();
      case "list" -> list(first, second);
      case "bookmark" -> bookmark(first);
      case "watch-list" -> watchList(first);
      case "start" -> {
        startInformer("all", null);
        startInformer("selected", first);
      }
      case "dump" -> informers.get(second).getIndexer().list().forEach(Official::print);
      case "expired" -> expired(first);
      default -> {}
    }
  }

  /** Its findAll reads each group in its preferred version. */
  private void discover() throws Exception {
    for (var found : new Discovery(client).findAll()) {
      String group = found.getGroup() == null || found.getGroup().isEmpty() ? "" : found.getGroup() + "/";
      Protocol.entry(group + found.getPreferredVersion() + "/" + found.getResourcePlural(), found.getKind());
    }
  }

  private void list(String kind, String value) throws Exception {
    var request = request();
    switch (kind) {
      case "paged" -> request.limit(Integer.valueOf(value));
      case "selected" -> request.labelSelector(value);
      case "exact" -> request.resourceVersion(value).resourceVersionMatch("Exact");
      default -> {}
    }
    for (V1ConfigMapList page = request.execute(); ; ) {
      page.getItems().forEach(Official::print);
      String next = page.getMetadata().getContinue();
      if (next == null || next.isEmpty()) {
        return;
      }
      page = request._continue(next).execute();
    }
  }

  /** Reads one watch up to its end, or until the handler returns true. */
  private void watch(CoreV1Api.APIlistNamespacedConfigMapRequest request, Function<Watch.Response<V1ConfigMap>, Boolean> handle) throws Exception {
    var type = new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType();
    try (Watch<V1ConfigMap> events = Watch.createWatch(client, request.watch(true).buildCall(null), type)) {
      while (events.hasNext()) {
        if (handle.apply(events.next())) {
          return;
        }
      }
    }
    throw new IllegalStateException("the watch ended before it showed what was waited for");
  }

  private void bookmark(String version) throws Exception {
    watch(request().resourceVersion(version).allowWatchBookmarks(true).timeoutSeconds(6), event -> {
      if (!event.type.equals("BOOKMARK")) {
        return false;
      }
      Protocol.entry("bookmark", event.object.getMetadata().getResourceVersion());
      return true;
    });
  }

  private void watchList(String selector) throws Exception {
    var request = request().sendInitialEvents(true).resourceVersionMatch("NotOlderThan").allowWatchBookmarks(true).timeoutSeconds(60);
    if (!selector.equals("all")) {
      request.labelSelector(selector);
    }
    var found = new HashMap<String, String>();
    watch(request, event -> {
      V1ObjectMeta metadata = event.object.getMetadata();
      if (event.type.equals("ADDED")) {
        found.put(keyOf(event.object), metadata.getResourceVersion());
      }
      var annotations = metadata.getAnnotations();
      return event.type.equals("BOOKMARK") && annotations != null && "true".equals(annotations.get("k8s.io/initial-events-end"));
    });
    Protocol.entries(found);
  }

  private void expired(String version) throws Exception {
    watch(request().resourceVersion(version).timeoutSeconds(5), event -> {
      if (event.status == null || event.status.getCode() != 410) {
        throw new IllegalStateException("no 410 but " + event.type);
      }
      return true;
    });
  }

  /** A factory has one informer for each class, so that each scope gets a factory of its own. */
  private void startInformer(String scope, String selector) throws Exception {
    var factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
        params -> request().labelSelector(selector).resourceVersion(params.resourceVersion).timeoutSeconds(params.timeoutSeconds).watch(params.watch).buildCall(null),
        V1ConfigMap.class, V1ConfigMapList.class);
    factory.startAllRegisteredInformers();
    informers.put(scope, informer);
    for (long end = System.nanoTime() + Duration.ofSeconds(60).toNanos(); !informer.hasSynced(); Thread.sleep(50)) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the informer did not sync");
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Protocol.answerCommands(new Official()::handle);
  }
}
