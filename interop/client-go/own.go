package main

import (
	"context"
	"fmt"
	"maps"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// compareClients lists with each of the four clients; all must find the same.
func (c *clients) compareClients(ctx context.Context) error {
	options := metav1.ListOptions{}
	inJSON, err := c.json.CoreV1().ConfigMaps(c.namespace).List(ctx, options)
	if err != nil {
		return err
	}
	inProtobuf, err := c.protobuf.CoreV1().ConfigMaps(c.namespace).List(ctx, options)
	if err != nil {
		return err
	}
	unstructured, err := c.dynamic.Resource(configMaps).Namespace(c.namespace).List(ctx, options)
	if err != nil {
		return err
	}
	partial, err := c.metadata.Resource(configMaps).Namespace(c.namespace).List(ctx, options)
	if err != nil {
		return err
	}
	expected, err := versionsOf(inJSON)
	if err != nil {
		return err
	}
	found := map[string]func() (versions, error){
		"protobuf": func() (versions, error) { return versionsOf(inProtobuf) },
		"dynamic":  func() (versions, error) { return versionsOf(unstructured) },
		"metadata": func() (versions, error) { return versionsOf(partial) },
	}
	for name, read := range found {
		got, err := read()
		if err != nil {
			return err
		}
		if !maps.Equal(expected, got) {
			return fmt.Errorf("the list in %s has %d objects, in JSON %d, or other versions", name, len(got), len(expected))
		}
	}
	for index := range inJSON.Items {
		if inJSON.Items[index].Data["count"] != inProtobuf.Items[index].Data["count"] {
			return fmt.Errorf("%s differs in JSON and protobuf", inJSON.Items[index].Name)
		}
	}
	return nil
}

// elect lets two candidates compete: one leads, releases its lease, and the other one takes over.
func (c *clients) elect(ctx context.Context) error {
	led := make(chan string, 2)
	first, stopFirst := context.WithCancel(ctx)
	defer stopFirst()
	second, stopSecond := context.WithCancel(ctx)
	defer stopSecond()
	run := func(ctx context.Context, identity string) error {
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, c.namespace, "interop-leader", c.json.CoreV1(), c.json.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: identity})
		if err != nil {
			return err
		}
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 500 * time.Millisecond, ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { led <- identity }, OnStoppedLeading: func() {}},
		})
		if err == nil {
			go elector.Run(ctx)
		}
		return err
	}
	if err := run(first, "first"); err != nil {
		return err
	}
	if err := expectLeader(ctx, led, "first"); err != nil {
		return err
	}
	if err := run(second, "second"); err != nil {
		return err
	}
	stopFirst()
	return expectLeader(ctx, led, "second")
}

func expectLeader(ctx context.Context, led <-chan string, expected string) error {
	select {
	case leader := <-led:
		if leader != expected {
			return fmt.Errorf("%s leads, not %s", leader, expected)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s does not lead: %w", expected, ctx.Err())
	}
}
