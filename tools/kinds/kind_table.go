package main

import (
	"fmt"
	"regexp"
	"strings"
)

func (w *writer) kindTable(kinds []*kind, from *discovery) string {
	var b strings.Builder
	b.WriteString("import type { GroupData, KindData } from '../kind-data.ts';\n\n")
	fmt.Fprintf(&b, "/** The kube-apiserver that was asked. */\nexport const KUBERNETES_VERSION = %s;\n\n", quote(from.Version))
	b.WriteString("/** The feature gates that fields and markers name, and whether they are on by default. One that is not here is on for good. */\n")
	b.WriteString("export const FEATURE_GATES: Readonly<Record<string, boolean>> = {\n")
	for _, gate := range w.t.usedGates() {
		if on, known := from.Gates[gate]; known {
			fmt.Fprintf(&b, "  %s: %t,\n", gate, on)
		}
	}
	b.WriteString("};\n\n")
	b.WriteString("/** The groups in the order of discovery. */\nexport const GROUP_TABLE: readonly GroupData[] = [\n")
	for _, group := range from.Groups {
		fmt.Fprintf(&b, "  { group: %s, versions: %s },\n", quote(group.Name), quoteAll(group.Versions))
	}
	b.WriteString("];\n\n/** The kinds that kube-apiserver serves by default. */\nexport const KIND_TABLE: readonly KindData[] = [\n")
	for _, k := range kinds {
		m := &members{}
		m.add("group", quote(k.Group))
		m.text("version", k.Version)
		m.text("kind", k.Kind)
		m.text("plural", k.Plural)
		m.text("singular", k.Singular)
		m.add("namespaced", fmt.Sprint(k.Namespaced))
		m.text("type", k.typeName)
		m.text("listType", k.listName)
		m.add("verbs", quoteAll(k.Verbs))
		m.add("shortNames", quoteAll(k.ShortNames))
		m.add("categories", quoteAll(k.Categories))
		m.add("selectableFields", quoteAll(k.SelectableFields))
		m.flag("ownFieldLabels", k.OwnFieldLabels)
		m.text("storageVersionHash", k.StorageVersionHash)
		b.WriteString("  {\n")
		for _, part := range m.parts {
			b.WriteString("    " + part + ",\n")
		}
		if len(k.Subresources) == 0 {
			b.WriteString("    subresources: {},\n")
		} else {
			b.WriteString("    subresources: {\n")
			for _, sub := range k.Subresources {
				fmt.Fprintf(&b, "      %s: { group: %s, version: %s, kind: %s, type: %s, verbs: %s },\n", key(sub.Name), quote(sub.Group),
					quote(sub.Version), quote(sub.Kind), quote(k.subTypes[sub.Name]), quoteAll(sub.Verbs))
			}
			b.WriteString("    },\n")
		}
		b.WriteString("  },\n")
	}
	b.WriteString("];\n")
	return b.String()
}

var gateInMarker = regexp.MustCompile(`if(?:Enabled|Disabled)\("?(\w+)"?\)`)

// usedGates are the feature gates that decide over fields and their validation.
func (t *translator) usedGates() []string {
	used := map[string]bool{}
	inMarkers := func(markers []string) {
		for _, marker := range markers {
			for _, found := range gateInMarker.FindAllStringSubmatch(marker, -1) {
				used[found[1]] = true
			}
		}
	}
	for _, pkg := range t.packages {
		for _, of := range pkg.types {
			inMarkers(of.Markers)
			for _, one := range of.Fields {
				inMarkers(one.Markers)
				for _, gate := range one.Gates {
					used[gate] = true
				}
			}
		}
	}
	return sortedKeys(used)
}
