package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "interop.example.com", Version: "v1"}

// Greeting is the kind of crd.yaml.
type Greeting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreetingSpec   `json:"spec"`
	Status            GreetingStatus `json:"status,omitempty"`
}

type GreetingSpec struct {
	Name string `json:"name"`
	Word string `json:"word,omitempty"`
}

type GreetingStatus struct {
	Text       string             `json:"text,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type GreetingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Greeting `json:"items"`
}

func (in *Greeting) DeepCopyObject() runtime.Object { return in.copy() }

func (in *GreetingList) DeepCopyObject() runtime.Object {
	out := &GreetingList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for _, item := range in.Items {
		out.Items = append(out.Items, *item.copy())
	}
	return out
}

func (in *Greeting) copy() *Greeting {
	out := &Greeting{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: GreetingStatus{Text: in.Status.Text}}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	for _, condition := range in.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *condition.DeepCopy())
	}
	return out
}
