package main

import (
	"fmt"
	"sort"
	"strings"
)

// publicType is a type that authors see: its name among all.
type publicType struct {
	pkg   *schemaPackage
	name  string
	alias string // its name in the door of the package; another than `name` where several packages have it
}

// names are the types that authors see, by full name, and which of them are kinds.
type names struct {
	all   map[string]*publicType
	kinds map[string]bool // full names of objects with metadata
	lists map[string]string
}

// Kinds inherit their metadata; elsewhere it belongs to an object within another.
const objectMeta = "meta/v1.ObjectMeta"

// Types that @listwatch/api has.
var apiTypes = map[string]bool{
	"meta/v1.ListMeta": true, "meta/v1.OwnerReference": true, "meta/v1.ManagedFieldsEntry": true, "meta/v1.Status": true,
	"meta/v1.StatusDetails": true, "meta/v1.StatusCause": true,
}

// Packages whose types keep their plain names when others have the same, in this order; the rest follows by name.
var firstPackages = []string{"core/v1", "meta/v1", "apps/v1", "autoscaling/v2", "authentication/v1", "rbac/v1", "networking/v1"}

// publicNames finds all types that kinds lead to and gives each a name of its own.
func publicNames(t *translator, kinds []*kind) *names {
	found := &names{all: map[string]*publicType{}, kinds: map[string]bool{}, lists: map[string]string{}}
	var visit func(n *node)
	reach := func(full string) {
		if _, known := found.all[full]; known || apiTypes[full] || full == objectMeta {
			return
		}
		of := t.lookup(full)
		if of == nil {
			return
		}
		if of.IsStruct || of.Enum != nil {
			dot := strings.LastIndex(full, ".")
			found.all[full] = &publicType{pkg: t.packages[full[:dot]], name: full[dot+1:]}
		}
		visit(of)
	}
	visit = func(n *node) {
		if n == nil {
			return
		}
		if n.Type != "" {
			reach(n.Type)
		}
		visit(n.List)
		visit(n.Map)
		for _, one := range n.Fields {
			visit(&one.node)
		}
	}
	for _, k := range kinds {
		found.kinds[k.typeName] = true
		reach(k.typeName)
		if k.listName != "" {
			found.lists[k.typeName] = k.listName
		}
		for _, full := range k.subTypes {
			if hasMetadata(t.lookup(full)) {
				found.kinds[full] = true
				reach(full)
			}
		}
	}
	reach("admission/v1.AdmissionReview")
	found.assign()
	return found
}

func hasMetadata(of *node) bool {
	for _, one := range of.Fields {
		if one.Name == "metadata" && one.Type == objectMeta {
			return true
		}
	}
	return false
}

func (n *names) sorted() []*publicType {
	var all []*publicType
	for _, one := range n.all {
		all = append(all, one)
	}
	sort.Slice(all, func(i, j int) bool {
		// A kind has its plain name before any part of another.
		if isKind := n.isKind(all[i]); isKind != n.isKind(all[j]) {
			return isKind
		}
		a, b := rank(all[i].pkg.key), rank(all[j].pkg.key)
		if a != b {
			return a < b
		}
		if all[i].pkg.key != all[j].pkg.key {
			return all[i].pkg.key < all[j].pkg.key
		}
		return all[i].name < all[j].name
	})
	return all
}

func (n *names) isKind(of *publicType) bool {
	return n.kinds[of.pkg.key+"."+of.name]
}

func rank(key string) int {
	for at, first := range firstPackages {
		if first == key {
			return at
		}
	}
	return len(firstPackages)
}

// assign gives the plain name to the first, and `EventsV1Event` to the others.
func (n *names) assign() {
	taken := map[string]bool{}
	for _, one := range n.sorted() {
		one.alias = one.name
		if taken[one.name] {
			prefix := constName(one.pkg.key)
			one.alias = strings.ToUpper(prefix[:1]) + prefix[1:] + one.name
		}
		taken[one.alias] = true
	}
}

var typeScalars = map[string]string{
	"any": "unknown", "bool": "boolean", "bytes": "string", "duration": "Duration", "fieldsV1": "unknown", "float64": "number",
	"int32": "number", "int64": "number", "intOrString": "IntOrString", "json": "unknown", "microTime": "MicroTime",
	"quantity": "Quantity", "rawExtension": "RawExtension", "string": "string", "time": "Time",
}

// typeFile declares the public types of a package; empty when it has none.
func (w *writer) typeFile(pkg *schemaPackage, found *names) string {
	f := &typeFile{w: w, pkg: pkg, found: found, api: map[string]bool{}, scalars: map[string]bool{}, others: map[string]bool{}}
	var body strings.Builder
	for _, name := range pkg.names() {
		if found.all[pkg.key+"."+name] != nil {
			body.WriteString("\n" + f.declare(name))
		}
	}
	if body.Len() == 0 {
		return ""
	}
	var head strings.Builder
	if len(f.api) > 0 {
		fmt.Fprintf(&head, "import type { %s } from '@listwatch/api';\n", strings.Join(sortedKeys(f.api), ", "))
	}
	if len(f.scalars) > 0 {
		fmt.Fprintf(&head, "import type { %s } from '../../scalars.ts';\n", strings.Join(sortedKeys(f.scalars), ", "))
	}
	for _, other := range sortedKeys(f.others) {
		fmt.Fprintf(&head, "import type * as %s from './%s.ts';\n", constName(other), fileName(other))
	}
	return head.String() + body.String()
}

func sortedKeys(of map[string]bool) []string {
	var keys []string
	for key := range of {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

type typeFile struct {
	w                    *writer
	pkg                  *schemaPackage
	found                *names
	api, scalars, others map[string]bool
}

func (f *typeFile) declare(name string) string {
	full := f.pkg.key + "." + name
	of := f.pkg.types[name]
	texts := f.w.texts.texts[full]
	said := texts[""]
	if said == "" {
		said = fmt.Sprintf("`%s` of %s.", name, f.pkg.key)
	}
	doc := "/** " + said + " */\n"
	if link := f.w.texts.link(full); link != "" && of.IsStruct && of.Form == "" {
		doc = "/** " + said + " " + link + " */\n"
	}
	if !of.IsStruct {
		return doc + "export type " + name + " = " + f.enum(of) + ";\n"
	}
	if of.Form != "" {
		return doc + "export type " + name + " = " + f.form(of) + ";\n"
	}
	isKind := f.found.kinds[full]
	var b strings.Builder
	b.WriteString(doc + "export interface " + name)
	if isKind {
		f.api["ApiObject"] = true
		b.WriteString(" extends ApiObject")
	}
	b.WriteString(" {\n")
	for _, one := range of.Fields {
		if isKind && (one.Name == "apiVersion" || one.Name == "kind" || one.Name == "metadata") {
			continue
		}
		mark := "?"
		// Go writes a struct that is no pointer always, also when it is empty; only at the top it would be a burden to say otherwise.
		if one.Required || isKind && !one.Pointer && !one.OmitZero && f.w.t.resolve(&one.node).IsStruct {
			mark = ""
		}
		if text := texts[one.Name]; text != "" {
			b.WriteString("  /** " + text + " */\n")
		}
		b.WriteString("  readonly " + key(one.Name) + mark + ": " + f.typeOf(&one.node) + ";\n")
	}
	b.WriteString("}\n")
	if f.found.lists[full] != "" {
		f.api["ApiList"] = true
		fmt.Fprintf(&b, "\n/** `%sList` of %s. */\nexport type %sList = ApiList<%s>;\n", name, f.pkg.key, name, name)
	}
	return b.String()
}

// enum is open: newer servers have more values, and a plain text must fit.
func (f *typeFile) enum(of *node) string {
	var values []string
	for _, value := range of.Enum {
		values = append(values, quote(value))
	}
	return strings.Join(append(values, "(string & {})"), " | ")
}

func (f *typeFile) form(of *node) string {
	schema := "apiextensions/v1.JSONSchemaProps"
	switch of.Form {
	case "orArray":
		return f.ref(schema) + " | readonly " + f.ref(schema) + "[]"
	case "orBool":
		return f.ref(schema) + " | boolean"
	}
	return f.ref(schema) + " | readonly string[]"
}

func (f *typeFile) ref(full string) string {
	if full == objectMeta {
		f.scalars["EmbeddedMetadata"] = true
		return "EmbeddedMetadata"
	}
	if apiTypes[full] {
		name := full[strings.LastIndex(full, ".")+1:]
		f.api[name] = true
		return name
	}
	public := f.found.all[full]
	if public == nil {
		return ""
	}
	name := public.name
	if public.pkg != f.pkg {
		f.others[public.pkg.key] = true
		name = constName(public.pkg.key) + "." + name
	}
	if f.found.kinds[full] { // a template: neither named nor observed
		f.scalars["Embedded"] = true
		return "Embedded<" + name + ">"
	}
	return name
}

func (f *typeFile) typeOf(n *node) string {
	if n.Type != "" {
		if named := f.ref(n.Type); named != "" {
			return named
		}
	}
	resolved := f.w.t.resolve(n)
	switch {
	case resolved.List != nil:
		item := f.typeOf(resolved.List)
		if strings.Contains(item, "|") {
			item = "(" + item + ")"
		}
		return "readonly " + nested(item) + "[]"
	case resolved.Map != nil:
		return "{ readonly [key: string]: " + f.typeOf(resolved.Map) + " }"
	}
	scalar := typeScalars[resolved.Type]
	if strings.ToUpper(scalar[:1]) == scalar[:1] {
		f.scalars[scalar] = true
	}
	return scalar
}

// nested keeps `readonly` of an inner list out of the outer one.
func nested(item string) string {
	if strings.HasPrefix(item, "readonly ") {
		return "(" + item + ")"
	}
	return item
}

// typeIndex names every public type.
func (w *writer) typeIndex(found *names) string {
	var b strings.Builder
	for _, pkg := range w.t.sortedPackages() {
		var parts []string
		for _, name := range pkg.names() {
			full := pkg.key + "." + name
			public := found.all[full]
			if public == nil {
				continue
			}
			parts = append(parts, exported(name, public.alias))
			if found.lists[full] != "" {
				parts = append(parts, exported(name+"List", public.alias+"List"))
			}
		}
		if len(parts) == 0 {
			continue
		}
		b.WriteString("export type {\n  " + strings.Join(parts, ",\n  ") + ",\n} from './types/" + fileName(pkg.key) + ".ts';\n")
	}
	return b.String()
}

func exported(name, alias string) string {
	if name == alias {
		return name
	}
	return name + " as " + alias
}

// resources declares a constant for every kind, which bundlers leave out where it is not used.
func (w *writer) resources(kinds []*kind, found *names) string {
	var b strings.Builder
	b.WriteString("import type { Resource } from '@listwatch/api';\nimport { defineResource } from '../define-resource.ts';\nimport type * as types from './types.ts';\n")
	for _, k := range kinds {
		public := found.all[k.typeName]
		name := pluralName(k)
		if public.alias != public.name {
			name = lowerFirst(strings.TrimSuffix(public.alias, public.name)) + strings.ToUpper(name[:1]) + name[1:]
		}
		group := k.Group
		if group == "" {
			group = "core"
		}
		fmt.Fprintf(&b, "\n/** `%s` of %s/%s. */\n", k.Plural, group, k.Version)
		fmt.Fprintf(&b, "export const %s: Resource<types.%s> = /* @__PURE__ */ defineResource(%s, %s, %s, %s, %t);\n", name, public.alias,
			quote(k.Group), quote(k.Version), quote(k.Plural), quote(k.Kind), k.Namespaced)
	}
	return b.String()
}

// pluralName is the plural in camel case: networkPolicies, csiDrivers.
func pluralName(k *kind) string {
	lower := strings.ToLower(k.Kind)
	same := 0
	for same < len(lower) && same < len(k.Plural) && lower[same] == k.Plural[same] {
		same++
	}
	return lowerAcronym(k.Kind[:same]) + k.Plural[same:]
}

func lowerAcronym(text string) string {
	run := 0
	for run < len(text) && text[run] >= 'A' && text[run] <= 'Z' {
		run++
	}
	if run > 1 && run < len(text) {
		run--
	}
	return strings.ToLower(text[:run]) + text[run:]
}
