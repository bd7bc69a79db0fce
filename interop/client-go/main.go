// The scenario of interop/README.md with client-go, or with the caches of controller-runtime when INTEROP_CLIENT says so. Whether its informers use watch-list is decided by its own variable,
// KUBE_FEATURE_WatchListClient.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/pager"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

type clients struct {
	namespace      string
	config         *rest.Config
	json, protobuf kubernetes.Interface
	dynamic        dynamic.Interface
	metadata       metadata.Interface
	views          map[string]view
}

func newClients() (*clients, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = -1, -1
	inProtobuf := rest.CopyConfig(config)
	inProtobuf.ContentType = runtime.ContentTypeProtobuf
	config.ContentType = runtime.ContentTypeJSON
	return &clients{
		namespace: os.Getenv("INTEROP_NAMESPACE"),
		config:    config,
		json:      kubernetes.NewForConfigOrDie(config),
		protobuf:  kubernetes.NewForConfigOrDie(inProtobuf),
		dynamic:   dynamic.NewForConfigOrDie(config),
		metadata:  metadata.NewForConfigOrDie(config),
		views:     map[string]view{},
	}, nil
}

func (c *clients) handle(ctx context.Context, command string, args []string) error {
	switch command {
	case "hello":
		fmt.Printf("version %s\n", versionOf(chosen.module))
		for _, name := range chosen.views {
			fmt.Printf("view %s\n", name)
		}
		for _, name := range chosen.own {
			fmt.Printf("own %s\n", name)
		}
		return nil
	case "discover":
		return c.discover()
	case "list":
		return c.list(ctx, args[0], append(args, "")[1])
	case "bookmark":
		return c.bookmark(ctx, args[0])
	case "watch-list":
		return c.watchList(ctx, args[0])
	case "start":
		for _, name := range chosen.views {
			for scope, selector := range map[string]string{"all": "", "selected": args[0]} {
				started, err := c.startView(ctx, name, scope, selector)
				if err != nil {
					return err
				}
				c.views[name+" "+scope] = started
			}
		}
		return nil
	case "dump":
		c.views[strings.Join(args, " ")].dump().print()
		return nil
	case "expired":
		return c.expired(ctx, args[0])
	case "own":
		if args[0] == "leader-election" {
			return c.elect(ctx)
		}
		return c.compareClients(ctx)
	default:
		return nil
	}
}

// library is what a row of the page is about.
type library struct {
	module     string
	views, own []string
}

var chosen = chooseLibrary()

func chooseLibrary() library {
	if os.Getenv("INTEROP_CLIENT") == "controller-runtime" {
		return library{"sigs.k8s.io/controller-runtime", managerViewNames, nil}
	}
	return library{"k8s.io/client-go", viewNames, []string{"four-clients", "leader-election"}}
}

func versionOf(path string) string {
	build, _ := debug.ReadBuildInfo()
	for _, module := range build.Deps {
		if module.Path == path {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return "unknown"
}

func (c *clients) discover() error {
	_, lists, err := c.json.Discovery().ServerGroupsAndResources()
	for _, list := range lists {
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") {
				fmt.Printf("= %s/%s %s\n", list.GroupVersion, resource.Name, resource.Kind)
			}
		}
	}
	return err
}

func (c *clients) list(ctx context.Context, kind, value string) error {
	api := c.json.CoreV1().ConfigMaps(c.namespace)
	options := metav1.ListOptions{}
	switch kind {
	case "paged":
		limit, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return err
		}
		pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return api.List(ctx, options)
		})
		pages.PageSize = limit
		found := versions{}
		err = pages.EachListItem(ctx, options, func(object runtime.Object) error { return found.add(object) })
		found.print()
		return err
	case "selected":
		options.LabelSelector = value
	case "exact":
		options.ResourceVersion, options.ResourceVersionMatch = value, metav1.ResourceVersionMatchExact
	}
	list, err := api.List(ctx, options)
	if err != nil {
		return err
	}
	found, err := versionsOf(list)
	found.print()
	return err
}

// watchOnce reads one watch up to its end, or until the handler returns true.
func (c *clients) watchOnce(ctx context.Context, options metav1.ListOptions, handle func(watch.Event) bool) error {
	watcher, err := c.json.CoreV1().ConfigMaps(c.namespace).Watch(ctx, options)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	for event := range watcher.ResultChan() {
		if event.Type == watch.Error {
			return apierrors.FromObject(event.Object)
		}
		if handle(event) {
			return nil
		}
	}
	return nil
}

func (c *clients) bookmark(ctx context.Context, version string) error {
	seconds := int64(6)
	options := metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds}
	return c.watchOnce(ctx, options, func(event watch.Event) bool {
		if event.Type != watch.Bookmark {
			return false
		}
		fmt.Printf("= bookmark %s\n", event.Object.(*corev1.ConfigMap).ResourceVersion)
		return true
	})
}

func (c *clients) watchList(ctx context.Context, selector string) error {
	initial, seconds := true, int64(60)
	options := metav1.ListOptions{
		SendInitialEvents: &initial, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	}
	if selector != "all" {
		options.LabelSelector = selector
	}
	found, ended := versions{}, false
	err := c.watchOnce(ctx, options, func(event watch.Event) bool {
		object := event.Object.(*corev1.ConfigMap)
		ended = event.Type == watch.Bookmark && object.Annotations[metav1.InitialEventsAnnotationKey] == "true"
		if event.Type == watch.Added {
			_ = found.add(object)
		}
		return ended
	})
	if err == nil && !ended {
		err = fmt.Errorf("the watch ended without the end marker")
	}
	found.print()
	return err
}

func (c *clients) expired(ctx context.Context, version string) error {
	seconds := int64(5)
	err := c.watchOnce(ctx, metav1.ListOptions{ResourceVersion: version, TimeoutSeconds: &seconds}, func(watch.Event) bool { return false })
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return nil
	}
	return fmt.Errorf("no 410 but %v", err)
}

func main() {
	klog.LogToStderr(true)
	ctrl.SetLogger(klog.Background())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	clients, err := newClients()
	if err != nil {
		klog.Fatal(err)
	}
	answerCommands(func(command string, args []string) error {
		limited, done := ctx, context.CancelFunc(func() {})
		if command != "start" {
			limited, done = context.WithTimeout(ctx, 2*time.Minute)
		}
		defer done()
		return clients.handle(limited, command, args)
	})
}
