package main

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// The caches of a controller-runtime manager: of whole objects, and of their metadata only.
var managerViewNames = []string{"cache", "metadata-cache"}

// managerView reads the cache of a manager, whose controller gets a request for each change.
type managerView struct {
	reader   client.Reader
	metadata bool
}

func startManager(ctx context.Context, config *rest.Config, namespace, name, scope, selector string) (view, error) {
	parsed, err := labels.Parse(selector)
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Logger:  klog.Background(),
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {LabelSelector: parsed}}},
	})
	if err != nil {
		return nil, err
	}
	var object client.Object = &corev1.ConfigMap{}
	if name == "metadata-cache" {
		partial := &metav1.PartialObjectMetadata{}
		partial.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
		object = partial
	}
	err = ctrl.NewControllerManagedBy(manager).Named(name + "-" + scope).For(object).Complete(reconciler{})
	if err != nil {
		return nil, err
	}
	go func() {
		if err := manager.Start(ctx); err != nil {
			klog.ErrorS(err, "the manager has ended")
		}
	}()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		return nil, errors.New("the cache did not sync")
	}
	return managerView{manager.GetCache(), name == "metadata-cache"}, nil
}

type reconciler struct{}

func (reconciler) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (v managerView) dump() versions {
	var list client.ObjectList = &corev1.ConfigMapList{}
	if v.metadata {
		partial := &metav1.PartialObjectMetadataList{}
		partial.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMapList"})
		list = partial
	}
	if err := v.reader.List(context.Background(), list); err != nil {
		klog.ErrorS(err, "the cache cannot be read")
	}
	found, err := versionsOf(list)
	if err != nil {
		klog.ErrorS(err, "an object without metadata")
	}
	return found
}
