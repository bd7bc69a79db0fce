// The peers in Go: client-go's work queue, and a controller of controller-runtime. Each mode prints one JSON line at its end;
// the controllers print `ready` before it, and end with their standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func usage() syscall.Rusage {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage
}

func cpuMs() float64 {
	used := usage()
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func report(line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// One goroutine: adds each key twice, then takes and finishes all.
func queueOps(keys, rounds int) {
	names := make([]string, keys)
	for i := range names {
		names[i] = fmt.Sprintf("default/object-%07d", i)
	}
	started, before := time.Now(), cpuMs()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	for range rounds {
		for range 2 {
			for _, name := range names {
				queue.Add(name)
			}
		}
		for range names {
			name, _ := queue.Get()
			queue.Forget(name)
			queue.Done(name)
		}
	}
	operations := float64(rounds * keys * 4)
	report(map[string]any{
		"opsPerSecond": operations / time.Since(started).Seconds(), "cpuNsPerOp": (cpuMs() - before) * 1e6 / operations,
	})
}

// The same of controller-runtime's priority queue.
func priorityQueueOps(keys, rounds int) {
	names := make([]string, keys)
	for i := range names {
		names[i] = fmt.Sprintf("default/object-%07d", i)
	}
	started, before := time.Now(), cpuMs()
	queue := priorityqueue.New[string]("bench")
	for range rounds {
		for range 2 {
			for _, name := range names {
				queue.Add(name)
			}
		}
		for range names {
			name, _ := queue.Get()
			queue.Forget(name)
			queue.Done(name)
		}
	}
	operations := float64(rounds * keys * 4)
	report(map[string]any{
		"opsPerSecond": operations / time.Since(started).Seconds(), "cpuNsPerOp": (cpuMs() - before) * 1e6 / operations,
	})
}

type recorder struct {
	client    client.Client
	mutex     sync.Mutex
	count     int
	seen      map[string]struct{}
	latencies []float64
	wanted    int
	complete  chan struct{}
	pause     time.Duration
}

func (r *recorder) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	now := time.Now()
	var object corev1.ConfigMap
	if err := r.client.Get(ctx, request.NamespacedName, &object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.complete == nil && r.pause > 0 {
		r.mutex.Unlock()
		time.Sleep(r.pause)
		r.mutex.Lock()
	}
	r.count++
	r.seen[request.Name] = struct{}{}
	if sent, err := strconv.ParseFloat(object.Data["sentAt"], 64); err == nil && sent > 0 {
		r.latencies = append(r.latencies, float64(now.UnixNano())/1e6-sent)
	}
	if len(r.seen) == r.wanted && r.complete != nil {
		close(r.complete)
		r.complete = nil
	}
	return reconcile.Result{}, nil
}

func (r *recorder) percentile(share float64) float64 {
	if len(r.latencies) == 0 {
		return 0
	}
	slices.Sort(r.latencies)
	return r.latencies[int(float64(len(r.latencies))*share)]
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	mode := flag.String("mode", "queue", "queue, priority-queue or controller")
	url := flag.String("url", "", "address of the server")
	token := flag.String("token", "", "bearer token")
	namespace := flag.String("namespace", "", "namespace to follow")
	objects := flag.Int("objects", 0, "how many objects there are; keys of the queue")
	rounds := flag.Int("rounds", 1, "rounds of the queue")
	reconcileMs := flag.Int("reconcile-ms", 0, "how long a reconcile takes after the first of each object")
	owned := flag.Bool("owned", false, "follow Secrets of the ConfigMaps")
	flag.Parse()
	if *mode == "queue" {
		queueOps(*objects, *rounds)
		return
	}
	if *mode == "priority-queue" {
		priorityQueueOps(*objects, *rounds)
		return
	}

	log.SetLogger(logr.Discard())
	started, before := time.Now(), cpuMs()
	const json = "application/json"
	config := &rest.Config{
		Host: *url, BearerToken: *token, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		ContentConfig:   rest.ContentConfig{ContentType: json, AcceptContentTypes: json},
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{*namespace: {}}},
	})
	check(err)
	complete := make(chan struct{})
	runs := &recorder{client: manager.GetClient(), seen: map[string]struct{}{}, wanted: *objects, complete: complete}
	runs.pause = time.Duration(*reconcileMs) * time.Millisecond
	builder := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{})
	if *owned {
		builder = builder.Owns(&corev1.Secret{})
	}
	check(builder.Complete(runs))
	go func() { check(manager.Start(ctrl.SetupSignalHandler())) }()
	<-complete
	start := map[string]any{
		"startMs": float64(time.Since(started).Microseconds()) / 1000, "startCpuMs": cpuMs() - before,
		"startPeakMb": float64(usage().Maxrss) * 1024 / 1e6,
	}
	runs.mutex.Lock()
	first := runs.count
	// Those of the first list are as old as their objects.
	runs.latencies = nil
	runs.mutex.Unlock()
	calm := cpuMs()
	fmt.Println("ready")
	bufio.NewScanner(os.Stdin).Scan()
	runs.mutex.Lock()
	defer runs.mutex.Unlock()
	start["reconciles"] = runs.count - first
	start["cpuMs"] = cpuMs() - calm
	start["p50Ms"], start["p99Ms"] = runs.percentile(0.5), runs.percentile(0.99)
	report(start)
}
