package main

import (
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// key is the name of a member of an object.
func key(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return quote(name)
}

func quote(text string) string {
	encoded, _ := json.Marshal(text)
	inner := strings.ReplaceAll(string(encoded[1:len(encoded)-1]), `\"`, `"`)
	return "'" + strings.ReplaceAll(inner, "'", `\'`) + "'"
}

func quoteAll(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, quote(text))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// literal turns JSON into TypeScript; texts get single quotes.
func literal(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return quote(text)
	}
	return string(value)
}

// members collects `name: value` in their order.
type members struct{ parts []string }

func (m *members) add(name, value string) {
	m.parts = append(m.parts, name+": "+value)
}

func (m *members) text(name, value string) {
	if value != "" {
		m.add(name, quote(value))
	}
}

func (m *members) flag(name string, is bool) {
	if is {
		m.add(name, "true")
	}
}

func (m *members) list(name string, values []string) {
	if len(values) > 0 {
		m.add(name, quoteAll(values))
	}
}

// value is a node without rules as a text, any other as an object.
func value(n *node) string {
	parts := &members{}
	nodeMembers(parts, n)
	if n.Type != "" && len(parts.parts) == 1 {
		return quote(n.Type)
	}
	return "{ " + strings.Join(parts.parts, ", ") + " }"
}

func nodeMembers(m *members, n *node) {
	switch {
	case n.Type != "":
		m.text("type", n.Type)
	case n.List != nil:
		m.add("list", value(n.List))
	case n.Map != nil:
		m.add("map", value(n.Map))
	}
	m.text("listType", n.ListType)
	m.list("keys", n.Keys)
	m.text("mapType", n.MapType)
	m.text("form", n.Form)
	m.flag("wrapped", n.Wrapped)
	if n.Default != nil {
		m.add("default", literal(n.Default))
	}
	if n.Enum != nil {
		m.add("enum", quoteAll(n.Enum))
	}
}

func fieldText(f *field) string {
	m := &members{}
	nodeMembers(m, &f.node)
	m.flag("required", f.Required)
	m.flag("pointer", f.Pointer)
	m.flag("always", f.Always)
	m.flag("omitZero", f.OmitZero)
	if f.Number != 0 {
		m.add("number", strconv.Itoa(f.Number))
	}
	if f.Within != nil {
		var numbers []string
		for _, number := range f.Within {
			numbers = append(numbers, strconv.Itoa(number))
		}
		m.add("within", "["+strings.Join(numbers, ", ")+"]")
	}
	m.text("patchStrategy", f.PatchStrategy)
	m.text("patchMergeKey", f.PatchMergeKey)
	m.list("gates", f.Gates)
	m.list("markers", f.Markers)
	return key(f.Name) + ": { " + strings.Join(m.parts, ", ") + " }"
}

// schemaFile is the data of one package, one field a line, so that a newer Kubernetes is a readable diff.
func (w *writer) schemaFile(pkg *schemaPackage) string {
	var b strings.Builder
	b.WriteString("import type { SchemaPackage } from '@listwatch/schema';\n\n")
	b.WriteString("export const " + constName(pkg.key) + ": SchemaPackage = {\n")
	b.WriteString("  name: " + quote(pkg.key) + ",\n  goPackage: " + quote(pkg.path) + ",\n")
	if pkg.openapi != "" {
		b.WriteString("  openApiPackage: " + quote(pkg.openapi) + ",\n")
	}
	b.WriteString("  imports: " + quoteAll(imports(pkg)) + ",\n  types: {\n")
	for _, name := range pkg.names() {
		of := pkg.types[name]
		rules := &members{}
		nodeMembers(rules, of)
		rules.list("markers", of.Markers)
		if !of.IsStruct {
			b.WriteString("    " + name + ": { " + strings.Join(rules.parts, ", ") + " },\n")
			continue
		}
		b.WriteString("    " + name + ": {\n")
		for _, rule := range rules.parts {
			b.WriteString("      " + rule + ",\n")
		}
		b.WriteString("      fields: {\n")
		for _, one := range of.Fields {
			b.WriteString("        " + fieldText(one) + ",\n")
		}
		b.WriteString("      },\n    },\n")
	}
	b.WriteString("  },\n};\n")
	return b.String()
}

// imports are the other packages that a package refers to.
func imports(pkg *schemaPackage) []string {
	found := map[string]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil {
			return
		}
		if dot := strings.LastIndex(n.Type, "."); dot > 0 && n.Type[:dot] != pkg.key {
			found[n.Type[:dot]] = true
		}
		visit(n.List)
		visit(n.Map)
		for _, one := range n.Fields {
			visit(&one.node)
		}
	}
	for _, of := range pkg.types {
		visit(of)
	}
	names := []string{}
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (w *writer) loaders() string {
	var b strings.Builder
	b.WriteString("import type { SchemaPackage } from '@listwatch/schema';\n\n")
	b.WriteString("export const SCHEMA_LOADERS: Readonly<Record<string, () => Promise<SchemaPackage>>> = {\n")
	for _, pkg := range w.t.sortedPackages() {
		b.WriteString("  " + key(pkg.key) + ": async () => (await import('./schemas/" + fileName(pkg.key) + ".ts'))." + constName(pkg.key) + ",\n")
	}
	b.WriteString("};\n")
	return b.String()
}
