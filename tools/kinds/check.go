package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
)

// check makes the OpenAPI schemas that follow from ours and compares them with those of a running server: types, required
// fields, defaults, enums, list types and keys, map types, patch strategies. It fails on any difference.
func check(s *server, t *translator) error {
	served, err := s.openAPISchemas()
	if err != nil {
		return err
	}
	var differences []string
	compared := 0
	for _, pkg := range t.sortedPackages() {
		for _, name := range pkg.names() {
			of := pkg.types[name]
			full := pkg.openapi + "." + name
			theirs, ok := served[full]
			if !ok || !of.IsStruct || of.Form != "" {
				continue
			}
			delete(served, full)
			compared++
			differences = append(differences, compare(full, t.openAPIStruct(of), theirs)...)
		}
	}
	for name := range served {
		if !openAPIScalars[name] {
			differences = append(differences, name+" is not in the data")
		}
	}
	sort.Strings(differences)
	for _, difference := range differences {
		fmt.Println(difference)
	}
	fmt.Fprintf(os.Stderr, "%d schemas compared, %d differences\n", compared, len(differences))
	if len(differences) > 0 {
		return fmt.Errorf("the data differs from the OpenAPI of the server")
	}
	return nil
}

// Types that the data has as scalars or forms; and Patch, the empty name under which OpenAPI lists bodies of patches.
var openAPIScalars = map[string]bool{
	"io.k8s.apimachinery.pkg.api.resource.Quantity":                                         true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.Duration":                                         true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1":                                         true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":                                        true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.Patch":                                            true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.Time":                                             true,
	"io.k8s.apimachinery.pkg.runtime.RawExtension":                                          true,
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString":                                       true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON":                         true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray":       true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool":        true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": true,
}

func (s *server) openAPISchemas() (map[string]map[string]any, error) {
	var index struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	if err := s.getJSON("/openapi/v3", "application/json", &index); err != nil {
		return nil, err
	}
	all := map[string]map[string]any{}
	for _, at := range index.Paths {
		var document struct {
			Components struct {
				Schemas map[string]map[string]any
			}
		}
		if err := s.getJSON(at.ServerRelativeURL, "application/json", &document); err != nil {
			return nil, err
		}
		for name, schema := range document.Components.Schemas {
			all[name] = plain(schema).(map[string]any)
		}
	}
	return all, nil
}

// plain leaves out texts, and what is said of a kind and not of a type.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if parts, ok := v["allOf"].([]any); ok && len(parts) == 1 {
			v["$ref"] = parts[0].(map[string]any)["$ref"]
			delete(v, "allOf")
		}
		if _, ok := v["description"].(string); ok {
			delete(v, "description")
		}
		if _, ok := v["x-kubernetes-unions"].([]any); ok {
			delete(v, "x-kubernetes-unions")
		}
		if _, ok := v["x-kubernetes-group-version-kind"].([]any); ok {
			delete(v, "x-kubernetes-group-version-kind")
		}
		for key := range v {
			v[key] = plain(v[key])
		}
		if required, ok := v["required"].([]any); ok {
			sort.Slice(required, func(i, j int) bool { return fmt.Sprint(required[i]) < fmt.Sprint(required[j]) })
		}
	case []any:
		for at := range v {
			v[at] = plain(v[at])
		}
	}
	return value
}

func (t *translator) openAPIStruct(of *node) map[string]any {
	made := map[string]any{"type": "object"}
	properties := map[string]any{}
	required := []any{}
	for _, one := range of.Fields {
		property := t.openAPIValue(&one.node)
		if implied := t.impliedDefault(one); implied != nil {
			property["default"] = implied
		}
		if one.PatchStrategy != "" {
			property["x-kubernetes-patch-strategy"] = one.PatchStrategy
		}
		if one.PatchMergeKey != "" {
			property["x-kubernetes-patch-merge-key"] = one.PatchMergeKey
		}
		properties[one.Name] = property
		if one.Required {
			required = append(required, one.Name)
		}
	}
	if len(properties) > 0 {
		made["properties"] = properties
	}
	if len(required) > 0 {
		made["required"] = required
	}
	if of.MapType != "" {
		made["x-kubernetes-map-type"] = of.MapType
	}
	return plain(made).(map[string]any)
}

var openAPITypes = map[string][2]string{
	"string": {"string", ""}, "bool": {"boolean", ""}, "int32": {"integer", "int32"}, "int64": {"integer", "int64"},
	"float64": {"number", "double"}, "bytes": {"string", "byte"},
}

var openAPIRefs = map[string]string{
	"time": "io.k8s.apimachinery.pkg.apis.meta.v1.Time", "microTime": "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
	"duration": "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", "fieldsV1": "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
	"quantity": "io.k8s.apimachinery.pkg.api.resource.Quantity", "intOrString": "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
	"rawExtension": "io.k8s.apimachinery.pkg.runtime.RawExtension",
	"json":         "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON",
}

func (t *translator) openAPIValue(n *node) map[string]any {
	resolved := t.resolve(n)
	made := map[string]any{}
	switch {
	case resolved.IsStruct:
		dot := strings.LastIndex(n.Type, ".")
		made["$ref"] = "#/components/schemas/" + t.packages[n.Type[:dot]].openapi + n.Type[dot:]
	case resolved.List != nil:
		made["type"], made["items"] = "array", t.openAPIItem(resolved.List)
	case resolved.Map != nil:
		made["type"], made["additionalProperties"] = "object", t.openAPIItem(resolved.Map)
	case openAPIRefs[resolved.Type] != "":
		made["$ref"] = "#/components/schemas/" + openAPIRefs[resolved.Type]
	case resolved.Type != "any":
		named := openAPITypes[resolved.Type]
		made["type"] = named[0]
		if named[1] != "" {
			made["format"] = named[1]
		}
	}
	if resolved.Enum != nil {
		values := []any{}
		for _, value := range resolved.Enum {
			values = append(values, value)
		}
		made["enum"] = values
	}
	if n.ListType != "" {
		made["x-kubernetes-list-type"] = n.ListType
	}
	if n.Keys != nil {
		keys := []any{}
		for _, key := range n.Keys {
			keys = append(keys, key)
		}
		made["x-kubernetes-list-map-keys"] = keys
	}
	if n.MapType != "" {
		made["x-kubernetes-map-type"] = n.MapType
	}
	return made
}

// openAPIItem is an item of a list or a value of a map: Go has no pointers there, so that zero values are defaults.
func (t *translator) openAPIItem(n *node) map[string]any {
	made := t.openAPIValue(n)
	if zero := t.zero(n); zero != nil {
		made["default"] = zero
	}
	return made
}

func (t *translator) zero(n *node) any {
	resolved := t.resolve(n)
	switch {
	case resolved.Form != "":
		return nil
	case resolved.IsStruct:
		return map[string]any{}
	case resolved.Type == "string":
		return ""
	case resolved.Type == "bool":
		return false
	case resolved.Type == "int32", resolved.Type == "int64", resolved.Type == "float64":
		return float64(0)
	}
	return nil
}

func (t *translator) impliedDefault(one *field) any {
	if one.Default != nil {
		var value any
		if json.Unmarshal(one.Default, &value) == nil {
			return value
		}
	}
	if one.Pointer || !one.Always && !t.resolve(&one.node).IsStruct {
		return nil
	}
	return t.zero(&one.node)
}

func compare(path string, ours, theirs map[string]any) []string {
	if reflect.DeepEqual(ours, theirs) {
		return nil
	}
	keys := map[string]bool{}
	for key := range ours {
		keys[key] = true
	}
	for key := range theirs {
		keys[key] = true
	}
	var found []string
	for key := range keys {
		a, b := ours[key], theirs[key]
		if reflect.DeepEqual(a, b) {
			continue
		}
		left, isMap := a.(map[string]any)
		right, isMapToo := b.(map[string]any)
		if isMap && isMapToo {
			found = append(found, compare(path+"."+key, left, right)...)
			continue
		}
		found = append(found, fmt.Sprintf("%s.%s: ours %v, theirs %v", path, key, a, b))
	}
	return found
}
