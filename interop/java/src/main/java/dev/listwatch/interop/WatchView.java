package dev.listwatch.interop;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** fabric8's watch with the relist after a 410, which it leaves to its user. */
final class WatchView implements Watcher<ConfigMap> {
  final Map<String, String> state = new ConcurrentHashMap<>();
  private final FilterWatchListDeletable<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps;
  private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();

  WatchView(FilterWatchListDeletable<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps) {
    this.maps = maps;
  }

  /** Lists, and watches from there. Tries again until it works. */
  void relist() {
    try {
      ConfigMapList list = maps.list();
      state.clear();
      list.getItems().forEach(object -> state.put(Fabric8.keyOf(object), object.getMetadata().getResourceVersion()));
      String version = list.getMetadata().getResourceVersion();
      maps.watch(new ListOptionsBuilder().withResourceVersion(version).withAllowWatchBookmarks(true).build(), this);
    } catch (RuntimeException error) {
      System.err.println(error);
      retries.schedule(this::relist, 500, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public boolean reconnecting() {
    return true;
  }

  @Override
  public void eventReceived(Action action, ConfigMap object) {
    switch (action) {
      case ADDED, MODIFIED -> state.put(Fabric8.keyOf(object), object.getMetadata().getResourceVersion());
      case DELETED -> state.remove(Fabric8.keyOf(object));
      default -> {}
    }
  }

  @Override
  public void onClose(WatcherException error) {
    System.err.println(error);
    retries.schedule(this::relist, 500, TimeUnit.MILLISECONDS);
  }
}
