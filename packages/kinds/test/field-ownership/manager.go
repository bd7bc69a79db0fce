package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

const group = "x.io"

var versions = []string{"v1", "v2"}

func kindOf(version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: "Thing"}
}

// converter converts between versions: spec.r1 of v1 is spec.r2 of v2. There is no other version.
type converter struct{}

func (converter) Convert(in, out, context any) error { return fmt.Errorf("not used") }

func (converter) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return "", "", fmt.Errorf("not used")
}

func (converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	from := in.GetObjectKind().GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from})
	if !ok {
		return nil, fmt.Errorf("no version")
	}
	if to.Version != "v1" && to.Version != "v2" {
		return nil, runtime.NewNotRegisteredErrForKind("test", to)
	}
	object := in.DeepCopyObject().(*unstructured.Unstructured)
	if from.Version != to.Version {
		rename(object.Object, "r"+from.Version[1:], "r"+to.Version[1:])
	}
	object.SetGroupVersionKind(kindOf(to.Version))
	return object, nil
}

func rename(object map[string]any, from, to string) {
	if body, ok := object["spec"].(map[string]any); ok {
		if value, ok := body[from]; ok {
			delete(body, from)
			body[to] = value
		}
	}
}

func (converter) Default(runtime.Object) {}

func (converter) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetGroupVersionKind(kind)
	return object, nil
}

func typesOf(root *node) managedfields.TypeConverter {
	models := map[string]*spec.Schema{}
	for _, version := range versions {
		model := root.inVersion(version).openAPI()
		model.Extensions["x-kubernetes-group-version-kind"] = []any{
			map[string]any{"group": group, "version": version, "kind": "Thing"},
		}
		models["io.x."+version+".Thing"] = &model
	}
	types, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		panic(err)
	}
	return types
}

// inVersion renames spec.r1.
func (n *node) inVersion(version string) *node {
	result := *n
	result.fields = nil
	for _, one := range n.fields {
		if one.name == "spec" {
			body := *one.node
			body.fields = nil
			for _, inner := range one.node.fields {
				if inner.name == "r1" {
					inner.name = "r" + version[1:]
				}
				body.fields = append(body.fields, inner)
			}
			one.node = &body
		}
		result.fields = append(result.fields, one)
	}
	return &result
}

func managerOf(types managedfields.TypeConverter, version, subresource string) *managedfields.FieldManager {
	reset := map[fieldpath.APIVersion]fieldpath.Filter{}
	paths := [][]any{{"status"}}
	if subresource == "status" {
		paths = [][]any{{"spec"}, {"metadata"}}
	}
	for _, one := range versions {
		set := fieldpath.NewSet()
		for _, path := range paths {
			set.Insert(fieldpath.MakePathOrDie(path...))
		}
		reset[fieldpath.APIVersion(group+"/"+one)] = fieldpath.NewExcludeSetFilter(set)
	}
	result, err := managedfields.NewDefaultCRDFieldManager(
		types, converter{}, converter{}, converter{}, kindOf(version), kindOf("v1").GroupVersion(), subresource, reset)
	if err != nil {
		panic(err)
	}
	return result
}
