package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// A line of the output. The JSON is text, so that the order of its fields can be compared too.
type line struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Filled     string `json:"filled"`
	JSON       string `json:"json"`
	Protobuf   []byte `json:"protobuf"`
}

// Every kind that kube-apiserver serves by default, and what else it answers. One list stands for all.
var kinds = map[string]string{
	"v1": "Binding ComponentStatus ConfigMap ConfigMapList DeleteOptions Endpoints Event LimitRange Namespace Node " +
		"PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service " +
		"ServiceAccount Status",
	"admissionregistration.k8s.io/v1": "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding " +
		"MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
	"apiextensions.k8s.io/v1":         "CustomResourceDefinition",
	"apiregistration.k8s.io/v1":       "APIService",
	"apps/v1":                         "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
	"authentication.k8s.io/v1":        "SelfSubjectReview TokenRequest TokenReview",
	"authorization.k8s.io/v1":         "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
	"autoscaling/v1":                  "HorizontalPodAutoscaler Scale",
	"autoscaling/v2":                  "HorizontalPodAutoscaler",
	"batch/v1":                        "CronJob Job",
	"certificates.k8s.io/v1":          "CertificateSigningRequest",
	"coordination.k8s.io/v1":          "Lease",
	"discovery.k8s.io/v1":             "EndpointSlice",
	"events.k8s.io/v1":                "Event",
	"flowcontrol.apiserver.k8s.io/v1": "FlowSchema PriorityLevelConfiguration",
	"meta.k8s.io/v1":                  "PartialObjectMetadata PartialObjectMetadataList",
	"networking.k8s.io/v1":            "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR",
	"node.k8s.io/v1":                  "RuntimeClass",
	"policy/v1":                       "Eviction PodDisruptionBudget",
	"rbac.authorization.k8s.io/v1":    "ClusterRole ClusterRoleBinding Role RoleBinding",
	"resource.k8s.io/v1":              "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
	"scheduling.k8s.io/v1":            "PriorityClass",
	"storage.k8s.io/v1":               "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
}

// without keeps the output small: what a Pod is asked to be and the metadata are most of it, and once is enough.
func without(kind string) []reflect.Type {
	switch kind {
	case "ConfigMap":
		return nil
	case "Pod":
		return []reflect.Type{reflect.TypeFor[metav1.ObjectMeta]()}
	}
	return []reflect.Type{reflect.TypeFor[metav1.ObjectMeta](), reflect.TypeFor[corev1.PodSpec]()}
}

func writeObjects(out io.Writer) error {
	for _, add := range []func(*runtime.Scheme) error{
		apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme, metav1.AddMetaToScheme,
	} {
		if err := add(scheme.Scheme); err != nil {
			return err
		}
	}
	encoder := json.NewEncoder(out)
	for _, apiVersion := range sortedKeys(kinds) {
		for _, kind := range strings.Fields(kinds[apiVersion]) {
			for _, filled := range []string{"full", "empty", "zero"} {
				gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
				object, err := scheme.Scheme.New(gvk)
				if err != nil {
					return err
				}
				if filled != "zero" {
					(&filler{empty: filled == "empty", without: without(kind)}).fill(reflect.ValueOf(object).Elem())
				}
				object.GetObjectKind().SetGroupVersionKind(gvk)
				text, binary, err := written(object, gvk)
				if err != nil {
					return fmt.Errorf("%s: %w", gvk, err)
				}
				if err := encoder.Encode(line{apiVersion, kind, filled, text, binary}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// written gives JSON and protobuf of which each is what the other says: an object may hold what one of them cannot say,
// such as an empty list, so it is decoded from both first.
func written(object runtime.Object, gvk schema.GroupVersionKind) (string, []byte, error) {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	var text, before string
	var binary []byte
	for range 3 {
		before = text
		bytesOfJSON, err := json.Marshal(object)
		if err != nil {
			return "", nil, err
		}
		text = string(bytesOfJSON)
		parsed, err := scheme.Scheme.New(gvk)
		if err != nil {
			return "", nil, err
		}
		if err := json.Unmarshal(bytesOfJSON, parsed); err != nil {
			return "", nil, err
		}
		var buffer bytes.Buffer
		if err := serializer.Encode(parsed, &buffer); err != nil {
			return "", nil, err
		}
		binary = buffer.Bytes()
		if object, _, err = serializer.Decode(binary, nil, nil); err != nil {
			return "", nil, err
		}
		object.GetObjectKind().SetGroupVersionKind(gvk)
	}
	if text != before {
		return "", nil, fmt.Errorf("%s is not %s", text, before)
	}
	return text, binary, nil
}
