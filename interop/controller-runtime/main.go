// A controller of controller-runtime with a CRD of its own, which it installs: each Greeting gets a ConfigMap by server-side
// apply, a status with a condition, and a finalizer. Flags: --kubeconfig, --namespace for its lease.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"
)

const (
	finalizer = "interop.example.com/goodbye"
	manager   = "greeter"
)

//go:embed crd.yaml
var crdText []byte

type greeter struct{ client.Client }

func (g *greeter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var greeting Greeting
	if err := g.Get(ctx, request.NamespacedName, &greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !greeting.DeletionTimestamp.IsZero() {
		fmt.Fprintf(os.Stderr, "goodbye %s\n", greeting.Spec.Name)
		before := greeting.copy()
		controllerutil.RemoveFinalizer(&greeting, finalizer)
		patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
		return ctrl.Result{}, client.IgnoreNotFound(g.Patch(ctx, &greeting, patch))
	}
	if controllerutil.AddFinalizer(&greeting, finalizer) {
		return ctrl.Result{}, g.Update(ctx, &greeting)
	}
	text := fmt.Sprintf("%s, %s!", greeting.Spec.Word, greeting.Spec.Name)
	owner := metav1ac.OwnerReference().WithAPIVersion(groupVersion.String()).WithKind("Greeting").WithName(greeting.Name).
		WithUID(greeting.UID).WithController(true).WithBlockOwnerDeletion(true)
	configMap := corev1ac.ConfigMap(greeting.Name, greeting.Namespace).WithOwnerReferences(owner).
		WithData(map[string]string{"text": text})
	if err := g.Apply(ctx, configMap, client.FieldOwner(manager), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, g.applyStatus(ctx, &greeting, text)
}

func (g *greeter) applyStatus(ctx context.Context, greeting *Greeting, text string) error {
	conditions := greeting.copy().Status.Conditions
	meta.SetStatusCondition(&conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Greeted", Message: text, ObservedGeneration: greeting.Generation,
	})
	status, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&GreetingStatus{Text: text, Conditions: conditions})
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	object.SetGroupVersionKind(groupVersion.WithKind("Greeting"))
	object.SetName(greeting.Name)
	object.SetNamespace(greeting.Namespace)
	return g.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(manager), client.ForceOwnership)
}

func run(ctx context.Context, namespace string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(crdText, &crd); err != nil {
		return err
	}
	crds := []*apiextensionsv1.CustomResourceDefinition{&crd}
	if _, err := envtest.InstallCRDs(config, envtest.CRDInstallOptions{CRDs: crds}); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypes(groupVersion, &Greeting{}, &GreetingList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              manager,
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	controller := ctrl.NewControllerManagedBy(mgr).For(&Greeting{}).Owns(&corev1.ConfigMap{})
	if err := controller.Complete(&greeter{mgr.GetClient()}); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func main() {
	namespace := flag.String("namespace", "default", "of the lease")
	flag.Parse()
	ctrl.SetLogger(klog.Background())
	if err := run(ctrl.SetupSignalHandler(), *namespace); err != nil {
		fmt.Fprintln(os.Stderr, "E0000 it failed:", err)
		os.Exit(1)
	}
}
