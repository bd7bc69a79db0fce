// Package apimachinery has what the copied specs use of their own package.
package apimachinery

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/test/e2e/framework"
)

// SIGDescribe names the specs as upstream does.
var SIGDescribe = framework.SIGDescribe("api-machinery")

// The policies of a spec are about its own namespace only.
func labelNamespace(ctx context.Context, f *framework.Framework, namespace string) {
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"labels": map[string]string{f.UniqueName: "true"}},
	})
	framework.ExpectNoError(err)
	_, err = f.ClientSet.CoreV1().Namespaces().Patch(ctx, namespace, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	framework.ExpectNoError(err, "label namespace %s", namespace)
}
