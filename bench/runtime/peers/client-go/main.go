// A client-go informer on the ConfigMaps of a namespace: what its first sync costs, as one JSON line.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func peakBytes() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Maxrss * 1024
}

func main() {
	url := flag.String("url", "", "address of the server")
	token := flag.String("token", "", "bearer token")
	namespace := flag.String("namespace", "", "namespace to watch")
	objects := flag.Int("objects", 0, "how many objects there must be")
	contentType := flag.String("content-type", "application/json", "what to ask for")
	flag.Parse()

	config := &rest.Config{
		Host:            *url,
		BearerToken:     *token,
		QPS:             -1,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		ContentConfig:   rest.ContentConfig{ContentType: *contentType, AcceptContentTypes: *contentType},
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	before, started := cpu(), time.Now()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(*namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	seen := make(chan struct{}, 1)
	count := 0
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) {
		if _, ok := object.(*corev1.ConfigMap); !ok {
			panic("not a ConfigMap")
		}
		if count++; count == *objects {
			seen <- struct{}{}
		}
	}}); err != nil {
		panic(err)
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		panic("no sync")
	}
	<-seen
	line, err := json.Marshal(map[string]any{
		"objects": len(informer.GetStore().List()),
		"wallMs":  float64(time.Since(started).Microseconds()) / 1000,
		"cpuMs":   float64((cpu() - before).Microseconds()) / 1000,
		"peakMb":  float64(peakBytes()) / 1e6,
	})
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(line, '\n'))
}
