package main

import (
	"context"
	"errors"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/klog/v2"
)

// view is a copy of the collection that follows it.
type view interface {
	dump() versions
}

var viewNames = []string{"informer-json", "informer-protobuf", "informer-dynamic", "informer-metadata", "retry-watcher"}

// startView resolves when the view has its first state.
func (c *clients) startView(ctx context.Context, name, scope, selector string) (view, error) {
	tweak := func(options *metav1.ListOptions) { options.LabelSelector = selector }
	switch name {
	case "informer-json":
		return c.typedInformer(ctx, c.json, tweak)
	case "informer-protobuf":
		return c.typedInformer(ctx, c.protobuf, tweak)
	case "informer-dynamic":
		factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(c.dynamic, 0, c.namespace, tweak)
		informer := factory.ForResource(configMaps).Informer()
		factory.Start(ctx.Done())
		return synced(ctx, informer)
	case "informer-metadata":
		factory := metadatainformer.NewFilteredSharedInformerFactory(c.metadata, 0, c.namespace, tweak)
		informer := factory.ForResource(configMaps).Informer()
		factory.Start(ctx.Done())
		return synced(ctx, informer)
	case "cache", "metadata-cache":
		return startManager(ctx, c.config, c.namespace, name, scope, selector)
	default:
		retried := &retryView{client: c.json, namespace: c.namespace, selector: selector}
		version, err := retried.relist(ctx)
		if err == nil {
			go retried.run(ctx, version)
		}
		return retried, err
	}
}

func (c *clients) typedInformer(ctx context.Context, client kubernetes.Interface, tweak func(*metav1.ListOptions)) (view, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(c.namespace), informers.WithTweakListOptions(tweak))
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(ctx.Done())
	return synced(ctx, informer)
}

type informerView struct{ informer cache.SharedIndexInformer }

func synced(ctx context.Context, informer cache.SharedIndexInformer) (view, error) {
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return nil, errors.New("the informer did not sync")
	}
	return informerView{informer}, nil
}

func (v informerView) dump() versions {
	found := versions{}
	for _, object := range v.informer.GetStore().List() {
		if err := found.add(object); err != nil {
			klog.ErrorS(err, "an object without metadata")
		}
	}
	return found
}

// retryView is a RetryWatcher with the relist after a 410, which it leaves to its user.
type retryView struct {
	client              kubernetes.Interface
	namespace, selector string
	mutex               sync.Mutex
	state               versions
}

func (v *retryView) relist(ctx context.Context) (string, error) {
	list, err := v.client.CoreV1().ConfigMaps(v.namespace).List(ctx, metav1.ListOptions{LabelSelector: v.selector})
	if err != nil {
		return "", err
	}
	state, err := versionsOf(list)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.state = state
	return list.ResourceVersion, err
}

func (v *retryView) run(ctx context.Context, version string) {
	for ctx.Err() == nil {
		lw := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.LabelSelector = v.selector
			return v.client.CoreV1().ConfigMaps(v.namespace).Watch(ctx, options)
		}}
		watcher, err := watchtools.NewRetryWatcherWithContext(ctx, version, lw)
		if err != nil {
			klog.ErrorS(err, "no RetryWatcher")
			return
		}
		for event := range watcher.ResultChan() {
			v.apply(event)
		}
		if version, err = v.relist(ctx); err != nil && ctx.Err() == nil {
			klog.ErrorS(err, "no list")
		}
	}
}

func (v *retryView) apply(event watch.Event) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	switch object := event.Object.(type) {
	case *corev1.ConfigMap:
		if event.Type == watch.Deleted {
			delete(v.state, object.Namespace+"/"+object.Name)
		} else if event.Type != watch.Bookmark {
			_ = v.state.add(object)
		}
	default:
		klog.InfoS("the RetryWatcher ends", "error", apierrors.FromObject(event.Object))
	}
}

func (v *retryView) dump() versions {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	found := versions{}
	for key, version := range v.state {
		found[key] = version
	}
	return found
}
