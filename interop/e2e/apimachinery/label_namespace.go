// Package apimachinery has what the published files use of files that are left out, because they import the kubelet.
package apimachinery

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/test/e2e/framework"
)

// The policies of a test are about its own namespace only.
func labelNamespace(ctx context.Context, f *framework.Framework, namespace string) {
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"labels": map[string]string{f.UniqueName: "true"}},
	})
	framework.ExpectNoError(err)
	_, err = f.ClientSet.CoreV1().Namespaces().Patch(ctx, namespace, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	framework.ExpectNoError(err, "label namespace %s", namespace)
}
