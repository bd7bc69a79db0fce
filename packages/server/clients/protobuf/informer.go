package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/wait"
	v1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// contentTypes remembers in what forms a server has answered.
type contentTypes struct {
	next http.RoundTripper
	lock sync.Mutex
	seen map[string]string
}

func (c *contentTypes) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(request)
	if err == nil {
		c.lock.Lock()
		defer c.lock.Unlock()
		c.seen[response.Header.Get("Content-Type")] = ""
	}
	return response, err
}

// useInformers watches ConfigMaps with a typed informer and with one of metadata while it writes them. Both ask for
// protobuf by themselves.
func useInformers(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	types := &contentTypes{seen: map[string]string{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		types.next = next
		return types
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client, err := v1.NewForConfig(config)
	if err != nil {
		return err
	}
	configMaps := client.ConfigMaps("default")
	for _, name := range []string{"a", "b", "c"} {
		if err := create(ctx, configMaps, name); err != nil {
			return err
		}
	}
	typed, partial, err := informers(config, client)
	if err != nil {
		return err
	}
	go typed.Run(ctx.Done())
	go partial.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), typed.HasSynced, partial.HasSynced) {
		return fmt.Errorf("the informers have not synced")
	}
	if err := create(ctx, configMaps, "d"); err != nil {
		return err
	}
	if err := configMaps.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		return err
	}
	want := []string{"default/b", "default/c", "default/d"}
	err = wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
		return slices.Equal(keys(typed), want) && slices.Equal(keys(partial), want), nil
	})
	if err != nil {
		return fmt.Errorf("%v and %v: %w", keys(typed), keys(partial), err)
	}
	object, _, _ := typed.GetStore().GetByKey("default/d")
	if object.(*corev1.ConfigMap).Data["name"] != "d" {
		return fmt.Errorf("the ConfigMap came as %v", object)
	}
	types.lock.Lock()
	defer types.lock.Unlock()
	fmt.Printf("synced %v from %v\n", want, sortedKeys(types.seen))
	return nil
}

func create(ctx context.Context, configMaps v1.ConfigMapInterface, name string) error {
	_, err := configMaps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"name": name},
	}, metav1.CreateOptions{})
	return err
}

func informers(config *rest.Config, client *v1.CoreV1Client) (cache.SharedIndexInformer, cache.SharedIndexInformer, error) {
	source := cache.NewListWatchFromClient(client.RESTClient(), "configmaps", "default", fields.Everything())
	typed := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, 0, cache.Indexers{})
	plain, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	partial := metadatainformer.NewFilteredMetadataInformer(plain, resource, "default", 0, cache.Indexers{}, nil)
	return typed, partial.Informer(), nil
}

func keys(informer cache.SharedIndexInformer) []string {
	return slices.Sorted(slices.Values(informer.GetStore().ListKeys()))
}
