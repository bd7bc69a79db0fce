package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// The texts are ours. A key is a type, then a field, or nothing for the type itself.
//
//go:embed descriptions.json
var descriptionsFile []byte

// descriptions of types and of their fields, and where Kubernetes describes the others.
type descriptions struct {
	texts  map[string]map[string]string
	groups map[string]string // rbac: rbac-authorization-k8s-io
	page   string
}

var minorVersion = regexp.MustCompile(`^v\d+\.\d+`)

func readDescriptions(t *translator, kinds []*kind, from *discovery) (*descriptions, error) {
	d := &descriptions{groups: map[string]string{"meta": "meta"}}
	if err := json.Unmarshal(descriptionsFile, &d.texts); err != nil {
		return nil, err
	}
	d.page = "https://kubernetes.io/docs/reference/generated/kubernetes-api/" + minorVersion.FindString(from.Version) + "/#"
	for _, one := range kinds {
		anchor := strings.ReplaceAll(one.Group, ".", "-")
		if anchor == "" {
			anchor = "core"
		}
		d.groups[strings.SplitN(one.typeName, "/", 2)[0]] = anchor
	}
	for name, fields := range d.texts {
		dot := strings.LastIndex(name, ".")
		pkg := t.packages[name[:dot]]
		if pkg == nil || pkg.types[name[dot+1:]] == nil {
			return nil, fmt.Errorf("descriptions.json describes %s, which does not exist", name)
		}
		known := map[string]bool{"": true}
		for _, one := range pkg.types[name[dot+1:]].Fields {
			known[one.Name] = true
		}
		for field := range fields {
			if !known[field] {
				return nil, fmt.Errorf("descriptions.json describes %s.%s, which does not exist", name, field)
			}
		}
	}
	return d, nil
}

// link to the page of a type; empty for types of packages that have none.
func (d *descriptions) link(full string) string {
	slash, dot := strings.Index(full, "/"), strings.LastIndex(full, ".")
	if slash < 0 || dot < slash || d.groups[full[:slash]] == "" {
		return ""
	}
	return d.page + strings.ToLower(full[dot+1:]) + "-" + full[slash+1:dot] + "-" + d.groups[full[:slash]]
}

func (d *descriptions) file() string {
	var b strings.Builder
	fmt.Fprintf(&b, "/** The page of a type: its name, its version and its group follow. */\nexport const REFERENCE_PAGE = %s;\n\n", quote(d.page))
	b.WriteString("/** How the page calls the groups, by the first part of their packages. */\nexport const REFERENCE_GROUPS: Readonly<Record<string, string>> = {\n")
	var groups []string
	for group := range d.groups {
		groups = append(groups, group)
	}
	sort.Strings(groups)
	for _, group := range groups {
		fmt.Fprintf(&b, "  %s: %s,\n", key(group), quote(d.groups[group]))
	}
	b.WriteString("};\n\n/** By type and field; `''` is the type itself. */\nexport const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n")
	var types []string
	for name := range d.texts {
		types = append(types, name)
	}
	sort.Strings(types)
	for _, name := range types {
		fmt.Fprintf(&b, "  %s: {\n", quote(name))
		var fields []string
		for field := range d.texts[name] {
			fields = append(fields, field)
		}
		sort.Strings(fields)
		for _, field := range fields {
			fmt.Fprintf(&b, "    %s: %s,\n", key(field), quote(d.texts[name][field]))
		}
		b.WriteString("  },\n")
	}
	b.WriteString("};\n")
	return b.String()
}
