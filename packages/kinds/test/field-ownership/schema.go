package main

import (
	"math/rand"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// A node is a random schema: it can be written as OpenAPI, for Kubernetes, and in the schema language of this project.
type node struct {
	kind   string // string int bool time intOrString any struct deduced map list set mapList
	atomic bool
	keeps  bool
	fields []field
	item   *node
	keys   []string
}

type field struct {
	name     string
	node     *node
	fallback any
}

var scalars = []string{"string", "string", "int", "bool", "time", "intOrString"}
var names = []string{"a", "b", "c", "d"}

func randomScalar(random *rand.Rand) *node {
	return &node{kind: scalars[random.Intn(len(scalars))]}
}

func randomNode(random *rand.Rand, depth int) *node {
	if depth <= 0 {
		return randomScalar(random)
	}
	switch random.Intn(12) {
	case 0, 1:
		return randomScalar(random)
	case 2, 3:
		return randomStruct(random, depth-1)
	case 4:
		return &node{kind: "map", atomic: random.Intn(3) == 0, item: randomNode(random, depth-1)}
	case 5:
		return &node{kind: "map", item: randomScalar(random)}
	case 6:
		return &node{kind: "list", item: randomNode(random, depth-1)}
	case 7:
		return &node{kind: "set", item: &node{kind: []string{"string", "int", "intOrString"}[random.Intn(3)]}}
	case 8, 9, 10:
		return randomMapList(random, depth-1)
	default:
		return &node{kind: []string{"deduced", "any"}[random.Intn(2)]}
	}
}

func randomStruct(random *rand.Rand, depth int) *node {
	result := &node{kind: "struct", atomic: random.Intn(6) == 0, keeps: random.Intn(10) == 0}
	for _, name := range names[:1+random.Intn(len(names))] {
		result.fields = append(result.fields, field{name: name, node: randomNode(random, depth)})
	}
	return result
}

func randomMapList(random *rand.Rand, depth int) *node {
	item := randomStruct(random, depth)
	item.atomic = random.Intn(8) == 0
	item.fields = append([]field{{name: "k", node: &node{kind: "string"}}}, item.fields...)
	keys := []string{"k"}
	switch random.Intn(4) {
	case 0:
		item.fields = append(item.fields, field{name: "p", node: &node{kind: "string"}, fallback: "TCP"})
		keys = append(keys, "p")
	case 1:
		item.fields = append(item.fields, field{name: "n", node: &node{kind: "int"}})
		keys = append(keys, "n")
	}
	return &node{kind: "mapList", item: item, keys: keys}
}

// changed is the schema after an update of its definition: some parts are owned as a whole now.
func (n *node) changed(random *rand.Rand) *node {
	if n == nil {
		return nil
	}
	result := *n
	if random.Intn(4) == 0 && (n.kind == "struct" || n.kind == "map") {
		result.atomic = true
	}
	if random.Intn(4) == 0 && (n.kind == "set" || n.kind == "mapList") {
		result.kind, result.keys = "list", nil
	}
	result.item = n.item.changed(random)
	result.fields = nil
	for _, one := range n.fields {
		result.fields = append(result.fields, field{one.name, one.node.changed(random), one.fallback})
	}
	return &result
}

// root is a whole object with random spec and status.
func root(body, status *node) *node {
	text := &node{kind: "string"}
	texts := &node{kind: "map", item: text}
	metadata := &node{kind: "struct", fields: []field{
		{name: "annotations", node: texts},
		{name: "finalizers", node: &node{kind: "set", item: text}},
		{name: "generation", node: &node{kind: "int"}},
		{name: "labels", node: texts},
		{name: "managedFields", node: &node{kind: "list", item: &node{kind: "deduced"}}},
		{name: "name", node: text},
		{name: "uid", node: text},
	}}
	return &node{kind: "struct", fields: []field{
		{name: "apiVersion", node: text},
		{name: "kind", node: text},
		{name: "metadata", node: metadata},
		{name: "spec", node: body},
		{name: "status", node: status},
	}}
}

func (n *node) openAPI() spec.Schema {
	result := spec.Schema{}
	result.Extensions = spec.Extensions{}
	switch n.kind {
	case "string":
		result.Type = spec.StringOrArray{"string"}
	case "time":
		result.Type, result.Format = spec.StringOrArray{"string"}, "date-time"
	case "int":
		result.Type = spec.StringOrArray{"integer"}
	case "bool":
		result.Type = spec.StringOrArray{"boolean"}
	case "intOrString":
		result.Extensions["x-kubernetes-int-or-string"] = true
	case "any":
		result.Extensions["x-kubernetes-preserve-unknown-fields"] = true
	case "deduced", "struct":
		result.Type = spec.StringOrArray{"object"}
		if len(n.fields) > 0 {
			result.Properties = map[string]spec.Schema{}
		}
		for _, one := range n.fields {
			property := one.node.openAPI()
			property.Default = one.fallback
			result.Properties[one.name] = property
		}
	case "map":
		result.Type = spec.StringOrArray{"object"}
		item := n.item.openAPI()
		result.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &item}
	case "list", "set", "mapList":
		result.Type = spec.StringOrArray{"array"}
		item := n.item.openAPI()
		result.Items = &spec.SchemaOrArray{Schema: &item}
		result.Extensions["x-kubernetes-list-type"] = map[string]string{"list": "atomic", "set": "set", "mapList": "map"}[n.kind]
		if n.kind == "mapList" {
			keys := []any{}
			for _, key := range n.keys {
				keys = append(keys, key)
			}
			result.Extensions["x-kubernetes-list-map-keys"] = keys
		}
	}
	if n.atomic {
		result.Extensions["x-kubernetes-map-type"] = "atomic"
	}
	if n.keeps {
		result.Extensions["x-kubernetes-preserve-unknown-fields"] = true
	}
	return result
}

// language is the schema in the words of this project.
func (n *node) language() map[string]any {
	result := map[string]any{}
	switch n.kind {
	case "string":
		result["type"] = "string"
	case "time":
		result["type"], result["validation"] = "string", map[string]any{"format": "date-time"}
	case "int":
		result["type"] = "int64"
	case "bool", "intOrString":
		result["type"] = n.kind
	case "any":
		result["type"] = "json"
	case "deduced", "struct":
		fields := map[string]any{}
		for _, one := range n.fields {
			field := one.node.language()
			if one.fallback != nil {
				field["default"] = one.fallback
			}
			fields[one.name] = field
		}
		result["fields"] = fields
	case "map":
		result["map"] = n.item.language()
	case "list", "set", "mapList":
		result["list"] = n.item.language()
		result["listType"] = map[string]string{"list": "atomic", "set": "set", "mapList": "map"}[n.kind]
		if n.kind == "mapList" {
			result["keys"] = n.keys
		}
	}
	if n.atomic {
		result["mapType"] = "atomic"
	}
	if n.keeps {
		result["keepsUnknown"] = true
	}
	return result
}
