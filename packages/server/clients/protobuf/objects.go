package main

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// A line of the output. The JSON is text, so that the order of its fields can be compared too.
type line struct {
	Kind     string `json:"kind"`
	Filled   string `json:"filled"`
	JSON     string `json:"json"`
	Protobuf []byte `json:"protobuf"`
}

var kinds = []struct {
	version schema.GroupVersion
	object  runtime.Object
}{
	{corev1.SchemeGroupVersion, &corev1.ConfigMap{}},
	{appsv1.SchemeGroupVersion, &appsv1.Deployment{}},
	{corev1.SchemeGroupVersion, &corev1.Event{}},
	{eventsv1.SchemeGroupVersion, &eventsv1.Event{}},
	{coordinationv1.SchemeGroupVersion, &coordinationv1.Lease{}},
	{corev1.SchemeGroupVersion, &corev1.Namespace{}},
	{corev1.SchemeGroupVersion, &corev1.Node{}},
	{corev1.SchemeGroupVersion, &corev1.Pod{}},
	{corev1.SchemeGroupVersion, &corev1.PodTemplate{}},
	{corev1.SchemeGroupVersion, &corev1.Secret{}},
	{corev1.SchemeGroupVersion, &corev1.Service{}},
	{corev1.SchemeGroupVersion, &corev1.ServiceAccount{}},
	{corev1.SchemeGroupVersion, &metav1.DeleteOptions{}},
	{authenticationv1.SchemeGroupVersion, &authenticationv1.SelfSubjectReview{}},
	{authorizationv1.SchemeGroupVersion, &authorizationv1.SelfSubjectAccessReview{}},
}

// without keeps the output small: what a Pod is asked to be is most of it, and once is enough.
func without(object runtime.Object) reflect.Type {
	if _, is := object.(*corev1.Pod); is {
		return nil
	}
	return reflect.TypeFor[corev1.PodSpec]()
}

func writeObjects(out io.Writer) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, authenticationv1.AddToScheme, authorizationv1.AddToScheme,
		coordinationv1.AddToScheme, corev1.AddToScheme, eventsv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	serializer := protobuf.NewSerializer(scheme, scheme)
	encoder := json.NewEncoder(out)
	for _, kind := range kinds {
		for _, filled := range []string{"full", "empty", "zero"} {
			object := kind.object.DeepCopyObject()
			value := reflect.ValueOf(object).Elem()
			if filled != "zero" {
				(&filler{empty: filled == "empty", without: without(object)}).fill(value)
			}
			gvk := kind.version.WithKind(value.Type().Name())
			object.GetObjectKind().SetGroupVersionKind(gvk)
			text, err := json.Marshal(object)
			if err != nil {
				return err
			}
			var binary bytes.Buffer
			if err := serializer.Encode(object, &binary); err != nil {
				return err
			}
			if err := encoder.Encode(line{gvk.Kind, filled, string(text), binary.Bytes()}); err != nil {
				return err
			}
		}
	}
	return nil
}
