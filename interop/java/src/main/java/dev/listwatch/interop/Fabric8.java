package dev.listwatch.interop;

import static dev.listwatch.interop.Protocol.NAMESPACE;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The scenario with fabric8: its informer, and its watch, which resumes by itself and ends at a 410. */
public final class Fabric8 {
  private final KubernetesClient client = new KubernetesClientBuilder().build();
  private final Map<String, SharedIndexInformer<ConfigMap>> informers = new HashMap<>();
  private final Map<String, WatchView> watches = new HashMap<>();

  private FilterWatchListDeletable<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps(String selector) {
    var all = client.configMaps().inNamespace(NAMESPACE);
    return selector == null ? all : all.withLabelSelector(selector);
  }

  static String keyOf(HasMetadata object) {
    return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }

  private static void print(HasMetadata object) {
    Protocol.entry(keyOf(object), object.getMetadata().getResourceVersion());
  }

  private void handle(String command, String first, String second) throws Exception {
    switch (command) {
      case "hello" -> {
        Protocol.say("version " + Protocol.versionOf(KubernetesClient.class));
        Protocol.say("view informer");
        Protocol.say("view watch");
        Protocol.say("own wait-until-condition");
      }
      case "discover" -> discover();
      case "list" -> list(first, second);
      case "bookmark" -> bookmark(first);
      case "watch-list" -> watchList(first);
      case "start" -> {
        start("all", null);
        start("selected", first);
      }
      case "dump" -> {
        if (first.equals("informer")) {
          informers.get(second).getStore().list().forEach(Fabric8::print);
        } else {
          Protocol.entries(watches.get(second).state);
        }
      }
      case "expired" -> expired(first);
      case "own" -> waitUntilCondition();
      default -> {}
    }
  }

  private void discover() {
    printResources("v1");
    for (var group : client.getApiGroups().getGroups()) {
      group.getVersions().forEach(version -> printResources(version.getGroupVersion()));
    }
  }

  private void printResources(String groupVersion) {
    for (var resource : client.getApiResources(groupVersion).getResources()) {
      if (!resource.getName().contains("/")) {
        Protocol.entry(groupVersion + "/" + resource.getName(), resource.getKind());
      }
    }
  }

  private void list(String kind, String value) {
    var options = new ListOptionsBuilder();
    switch (kind) {
      case "paged" -> options.withLimit(Long.valueOf(value));
      case "selected" -> options.withLabelSelector(value);
      case "exact" -> options.withResourceVersion(value).withResourceVersionMatch("Exact");
      default -> {}
    }
    for (ConfigMapList page = maps(null).list(options.build()); ; ) {
      page.getItems().forEach(Fabric8::print);
      String next = page.getMetadata().getContinue();
      if (next == null || next.isEmpty()) {
        return;
      }
      page = maps(null).list(options.withContinue(next).build());
    }
  }

  /** The first thing that a watch tells: the version of a bookmark, or the error that ended it. */
  private CompletableFuture<String> firstOf(ListOptions options) {
    var told = new CompletableFuture<String>();
    var watch = maps(null).watch(options, new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap object) {
        if (action == Action.BOOKMARK) {
          told.complete(object.getMetadata().getResourceVersion());
        }
      }

      @Override
      public void onClose(WatcherException error) {
        told.completeExceptionally(error);
      }
    });
    return told.whenComplete((version, error) -> watch.close());
  }

  private void bookmark(String version) throws Exception {
    var options = new ListOptionsBuilder().withResourceVersion(version).withAllowWatchBookmarks(true).withTimeoutSeconds(6L).build();
    Protocol.entry("bookmark", firstOf(options).get(20, TimeUnit.SECONDS));
  }

  private void watchList(String selector) throws Exception {
    var found = new ConcurrentHashMap<String, String>();
    var ended = maps(selector.equals("all") ? null : selector)
        .streamingList(object -> found.put(keyOf(object), object.getMetadata().getResourceVersion()));
    ended.get(60, TimeUnit.SECONDS);
    Protocol.entries(found);
  }

  private void expired(String version) throws Exception {
    var outcome = firstOf(new ListOptionsBuilder().withResourceVersion(version).withTimeoutSeconds(5L).build());
    var error = outcome.handle((bookmark, failure) -> failure == null ? null : failure.getCause()).get(20, TimeUnit.SECONDS);
    if (!(error instanceof WatcherException ended && ended.isHttpGone())) {
      throw new IllegalStateException("no 410 but " + error);
    }
  }

  private void start(String scope, String selector) {
    informers.put(scope, maps(selector).inform());
    var watch = new WatchView(maps(selector));
    watch.relist();
    watches.put(scope, watch);
  }

  private void waitUntilCondition() {
    var object = new ConfigMapBuilder().withNewMetadata().withName("awaited").withNamespace(NAMESPACE).endMetadata().build();
    client.resource(object).create();
    CompletableFuture.runAsync(() -> client.resource(object).edit(map -> new ConfigMapBuilder(map).addToData("done", "1").build()));
    client.resource(object).waitUntilCondition(map -> map != null && map.getData() != null && map.getData().containsKey("done"), 30, TimeUnit.SECONDS);
    client.resource(object).delete();
    client.resource(object).waitUntilCondition(map -> map == null, 30, TimeUnit.SECONDS);
  }

  public static void main(String[] args) throws Exception {
    Protocol.answerCommands(new Fabric8()::handle);
  }
}
