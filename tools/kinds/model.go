package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"path"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// node is one value of the schema language: see packages/schema/src/schema.ts.
type node struct {
	Type     string // a scalar, or the full name of a type: core/v1.Pod
	List     *node
	Map      *node
	Fields   []*field
	IsStruct bool

	Default  json.RawMessage
	Enum     []string
	ListType string
	Keys     []string
	MapType  string
	Form     string
	Wrapped  bool
	Markers  []string
}

// field is a node under a name in a struct.
type field struct {
	node
	Name          string
	Number        int   // 0: in no message
	Within        []int // the numbers of the messages around it, the outermost first: for fields of an inlined struct
	Pointer       bool
	Always        bool
	OmitZero      bool
	Required      bool
	PatchStrategy string
	PatchMergeKey string
	Gates         []string
}

// schemaPackage is what is written of one Go package.
type schemaPackage struct {
	key     string // core/v1
	path    string // k8s.io/api/core/v1
	openapi string // io.k8s.api.core.v1
	types   map[string]*node
}

// Types with a form of their own in JSON and in protobuf.
var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                     "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                 "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                 "fieldsV1",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                 "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":               "intOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                  "rawExtension",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "json",
}

// Structs whose JSON is one of two other things.
var forms = map[string]string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "orArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "orBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "orStringArray",
}

var builtins = map[string]string{
	"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int64", "float64": "float64",
}

// translator turns Go types into nodes and remembers which named types are needed.
type translator struct {
	sources  *sources
	packages map[string]*schemaPackage // by key
	problems []string
}

func packageKey(importPath string) string {
	for _, prefix := range []string{
		"k8s.io/apimachinery/pkg/apis/", "k8s.io/apiextensions-apiserver/pkg/apis/", "k8s.io/kube-aggregator/pkg/apis/", "k8s.io/apimachinery/pkg/",
		"k8s.io/api/",
	} {
		if rest, ok := strings.CutPrefix(importPath, prefix); ok {
			return rest
		}
	}
	return importPath
}

// named makes sure that a named type is in its package, and gives its full name.
func (t *translator) named(importPath, name string) (string, error) {
	pkg, err := t.sources.load(importPath)
	if err != nil {
		return "", err
	}
	found, ok := pkg.types[name]
	if !ok {
		return "", fmt.Errorf("%s has no type %s", importPath, name)
	}
	if found.spec.Assign.IsValid() { // type A = B
		target, targetName, err := nameOf(found.file, pkg, found.spec.Type)
		if err != nil {
			return "", err
		}
		return t.named(target, targetName)
	}
	key := packageKey(importPath)
	home := t.packages[key]
	if home == nil {
		model, _ := valueOf(pkg.tags, "k8s:openapi-model-package")
		home = &schemaPackage{key: key, path: importPath, openapi: model, types: map[string]*node{}}
		t.packages[key] = home
	}
	full := key + "." + name
	if _, known := home.types[name]; known {
		return full, nil
	}
	home.types[name] = &node{} // types may refer to themselves
	made, err := t.define(found)
	if err != nil {
		return "", fmt.Errorf("%s: %w", full, err)
	}
	*home.types[name] = *made
	return full, nil
}

func (t *translator) define(of *goType) (*node, error) {
	if structType, ok := of.spec.Type.(*ast.StructType); ok {
		made := &node{IsStruct: true, Form: forms[of.pkg.path+"."+of.name]}
		if value, ok := valueOf(of.markers, "structType"); ok {
			made.MapType = value
		}
		if value, ok := valueOf(of.markers, "mapType"); ok {
			made.MapType = value
		}
		made.Markers = validations(of.markers)
		fields, err := t.fields(of, structType)
		made.Fields = fields
		return made, err
	}
	made, err := t.node(of.file, of.pkg, of.spec.Type)
	if err != nil {
		return nil, err
	}
	// type A B: a type of its own that holds the same.
	if under := t.lookup(made.Type); under != nil {
		copied := *under
		copied.Enum = nil
		made = &copied
	}
	if _, ok := valueOf(of.markers, "enum"); ok {
		made.Enum = t.sources.valuesOfType(of.pkg, of.name)
	}
	if _, ok := valueOf(of.markers, "k8s:enum"); ok && made.Enum == nil {
		t.problems = append(t.problems, fmt.Sprintf("%s.%s has +k8s:enum and no +enum", of.pkg.path, of.name))
	}
	if made.List != nil && hasPrefix(of.markers, "protobuf.nullable=true") {
		made.Wrapped = true
	}
	made.Markers = validations(of.markers)
	return made, nil
}

func hasPrefix(markers []string, prefix string) bool {
	for _, marker := range markers {
		if strings.HasPrefix(marker, prefix) {
			return true
		}
	}
	return false
}

func (s *sources) valuesOfType(p *goPackage, name string) []string {
	seen := map[string]bool{}
	values := []string{}
	for _, c := range p.consts {
		if c.typeName != name {
			continue
		}
		value, err := strconv.Unquote(s.constant(p, c))
		if err != nil || seen[value] {
			continue
		}
		seen[value] = true
		values = append(values, value)
	}
	sort.Strings(values)
	return values
}

// lookup is the node of a full name.
func (t *translator) lookup(full string) *node {
	dot := strings.LastIndex(full, ".")
	if dot < 0 {
		return nil
	}
	home := t.packages[full[:dot]]
	if home == nil {
		return nil
	}
	return home.types[full[dot+1:]]
}

// nameOf is the import path and the name of a type expression that is a name.
func nameOf(file *ast.File, pkg *goPackage, expr ast.Expr) (string, string, error) {
	switch e := expr.(type) {
	case *ast.Ident:
		return pkg.path, e.Name, nil
	case *ast.SelectorExpr:
		alias := e.X.(*ast.Ident).Name
		for _, spec := range file.Imports {
			importPath, _ := strconv.Unquote(spec.Path.Value)
			name := path.Base(importPath)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if name == alias {
				return importPath, e.Sel.Name, nil
			}
		}
		return "", "", fmt.Errorf("no import is called %s", alias)
	}
	return "", "", fmt.Errorf("%T is not a name", expr)
}

// node translates a type expression without a pointer in front.
func (t *translator) node(file *ast.File, pkg *goPackage, expr ast.Expr) (*node, error) {
	switch e := expr.(type) {
	case *ast.Ident:
		if scalar, ok := builtins[e.Name]; ok {
			return &node{Type: scalar}, nil
		}
		if e.Name == "any" {
			return &node{Type: "any"}, nil
		}
	case *ast.InterfaceType:
		return &node{Type: "any"}, nil
	case *ast.StarExpr:
		// Items that are pointers: JSON and protobuf do not show it.
		return t.node(file, pkg, e.X)
	case *ast.ArrayType:
		if ident, ok := e.Elt.(*ast.Ident); ok && (ident.Name == "byte" || ident.Name == "uint8") {
			return &node{Type: "bytes"}, nil
		}
		item, err := t.node(file, pkg, e.Elt)
		return &node{List: item}, err
	case *ast.MapType:
		value, err := t.node(file, pkg, e.Value)
		return &node{Map: value}, err
	}
	importPath, name, err := nameOf(file, pkg, expr)
	if err != nil {
		return nil, err
	}
	if scalar, ok := scalars[importPath+"."+name]; ok {
		return &node{Type: scalar}, nil
	}
	full, err := t.named(importPath, name)
	return &node{Type: full}, err
}

// resolve follows names to a scalar, list, map or struct.
func (t *translator) resolve(n *node) *node {
	for n.Type != "" {
		next := t.lookup(n.Type)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func (t *translator) fields(of *goType, structType *ast.StructType) ([]*field, error) {
	var made []*field
	for _, member := range structType.Fields.List {
		if member.Tag == nil {
			if len(member.Names) > 0 && !member.Names[0].IsExported() {
				continue
			}
			return nil, fmt.Errorf("a member of %s has no tag", of.name)
		}
		text, _ := strconv.Unquote(member.Tag.Value)
		tag := reflect.StructTag(text)
		parts := strings.Split(tag.Get("json"), ",")
		if parts[0] == "-" {
			continue
		}
		number, err := numberOf(tag.Get("protobuf"))
		if err != nil {
			return nil, err
		}
		if contains(parts[1:], "inline") {
			inlined, err := t.inlined(of, member, number)
			if err != nil {
				return nil, err
			}
			made = append(made, inlined...)
			continue
		}
		name := parts[0]
		if name == "" {
			if forms[of.pkg.path+"."+of.name] == "" {
				return nil, fmt.Errorf("a member of %s has no name in JSON", of.name)
			}
			name = lowerFirst(member.Names[0].Name)
		}
		one, err := t.field(of, member, name, parts[1:], tag)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		one.Number = number
		made = append(made, one)
	}
	return made, nil
}

func lowerFirst(text string) string {
	if text == strings.ToUpper(text) {
		return strings.ToLower(text)
	}
	return strings.ToLower(text[:1]) + text[1:]
}

func contains(parts []string, text string) bool {
	for _, part := range parts {
		if part == text {
			return true
		}
	}
	return false
}

// inlined are the fields of an embedded struct: in JSON they are fields of the outer one.
func (t *translator) inlined(of *goType, member *ast.Field, number int) ([]*field, error) {
	importPath, name, err := nameOf(of.file, of.pkg, member.Type)
	if err != nil {
		return nil, err
	}
	pkg, err := t.sources.load(importPath)
	if err != nil {
		return nil, err
	}
	inner, ok := pkg.types[name]
	if !ok {
		return nil, fmt.Errorf("%s has no type %s", importPath, name)
	}
	structType, ok := inner.spec.Type.(*ast.StructType)
	if !ok {
		return nil, fmt.Errorf("%s.%s is not a struct", importPath, name)
	}
	fields, err := t.fields(inner, structType)
	if err != nil {
		return nil, err
	}
	for _, one := range fields {
		if number == 0 { // TypeMeta: the envelope says it
			one.Number = 0
		} else {
			one.Within = append([]int{number}, one.Within...)
		}
	}
	return fields, nil
}

func numberOf(tag string) (int, error) {
	if tag == "" || tag == "-" {
		return 0, nil
	}
	number, err := strconv.Atoi(strings.Split(tag, ",")[1])
	if err != nil {
		return 0, fmt.Errorf("%q is not a protobuf tag", tag)
	}
	return number, nil
}

func (t *translator) field(of *goType, member *ast.Field, name string, options []string, tag reflect.StructTag) (*field, error) {
	expr := member.Type
	one := &field{Name: name}
	if star, ok := expr.(*ast.StarExpr); ok {
		one.Pointer, expr = true, star.X
	}
	made, err := t.node(of.file, of.pkg, expr)
	if err != nil {
		return nil, err
	}
	one.node = *made
	markers := markersOf(member.Doc)
	one.Always = !contains(options, "omitempty") && !contains(options, "omitzero")
	one.OmitZero = contains(options, "omitzero")
	_, optional := valueOf(markers, "optional")
	_, required := valueOf(markers, "required")
	one.Required = required || !optional && !contains(options, "omitempty")
	one.PatchStrategy, one.PatchMergeKey = tag.Get("patchStrategy"), tag.Get("patchMergeKey")
	one.Gates = gatesOf(markers)
	one.ListType, _ = valueOf(markers, "listType")
	one.Keys = valuesOf(markers, "listMapKey")
	if value, ok := valueOf(markers, "mapType"); ok {
		one.MapType = value
	}
	if value, ok := valueOf(markers, "structType"); ok {
		one.MapType = value
	}
	if value, ok := valueOf(markers, "default"); ok {
		if one.Default, err = t.defaultValue(of.pkg, value); err != nil {
			return nil, err
		}
	}
	one.Markers = validations(markers)
	return one, nil
}

// gatesOf are the feature gates of a field; one marker may name several.
func gatesOf(markers []string) []string {
	var gates []string
	for _, value := range valuesOf(markers, "featureGate") {
		for _, gate := range strings.Split(value, ",") {
			gates = append(gates, strings.TrimSpace(gate))
		}
	}
	return gates
}

func (t *translator) defaultValue(pkg *goPackage, text string) (json.RawMessage, error) {
	if inner, ok := strings.CutPrefix(text, "ref("); ok {
		name := strings.TrimSuffix(inner, ")")
		for _, c := range pkg.consts {
			if c.name == name {
				return json.RawMessage(t.sources.constant(pkg, c)), nil
			}
		}
		return nil, fmt.Errorf("no constant is called %s", name)
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("the default %s is not JSON", text)
	}
	return json.RawMessage(text), nil
}
