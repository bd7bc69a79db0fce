package main

import (
	"context"
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/clientcmd"
)

// useLease does what every controller does to its Lease. The client sends protobuf by itself, and so do the options of
// its deletes.
func useLease(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := v1.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	leases := client.Leases("default")
	holder, seconds, renewed := "one", int32(15), metav1.NowMicro()
	made, err := leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "leader", Labels: map[string]string{"app": "typed"}},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: &seconds, AcquireTime: &renewed, RenewTime: &renewed,
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	*made.Spec.HolderIdentity = "two"
	updated, err := leases.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return fmt.Errorf("update: %w", err)
	}
	if *updated.Spec.HolderIdentity != "two" || !updated.Spec.RenewTime.Equal(made.Spec.RenewTime) {
		return fmt.Errorf("the update came back as %+v", updated.Spec)
	}
	stale := metav1.NewRVDeletionPrecondition(made.ResourceVersion)
	if err := leases.Delete(ctx, "leader", *stale); err == nil {
		return fmt.Errorf("a delete with a stale precondition was done")
	}
	current := metav1.NewRVDeletionPrecondition(updated.ResourceVersion)
	if err := leases.Delete(ctx, "leader", *current); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if err := leases.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("delete collection: %w", err)
	}
	fmt.Println("created, updated and deleted")
	return nil
}
