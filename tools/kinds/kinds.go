package main

import (
	"fmt"
	"sort"
)

// kind is a resource with the names of its types.
type kind struct {
	discovered
	typeName string // core/v1.Pod
	listName string // core/v1.PodList; empty when it is never listed
	// subTypes are the full names of what the subresources take and answer, by their name.
	subTypes  map[string]string
	preferred bool
}

// Types that no resource leads to, and that servers and clients exchange all the same.
var extraTypes = []struct{ path, name string }{
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "APIGroup"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "APIGroupList"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "APIResourceList"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "APIVersions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "CreateOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "DeleteOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "GetOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "ListOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "PartialObjectMetadata"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "PartialObjectMetadataList"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "PatchOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Status"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Table"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "TableOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "UpdateOptions"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "WatchEvent"},
	{"k8s.io/apimachinery/pkg/version", "Info"},
	{"k8s.io/api/admission/v1", "AdmissionReview"},
	{"k8s.io/api/apidiscovery/v2", "APIGroupDiscoveryList"},
	{"k8s.io/api/core/v1", "List"},
	{"k8s.io/api/core/v1", "PodLogOptions"},
}

// kinds makes the kinds of discovery and puts all types that they lead to into the packages.
func (t *translator) kinds(found *discovery) ([]*kind, error) {
	groups, err := t.sources.groups()
	if err != nil {
		return nil, err
	}
	typeOf := func(group, version, name string) (string, error) {
		importPath, ok := groups[group+"/"+version]
		if !ok {
			return "", fmt.Errorf("no package has the group %q and the version %s", group, version)
		}
		return t.named(importPath, name)
	}
	var made []*kind
	for _, one := range found.Kinds {
		k := &kind{discovered: one, subTypes: map[string]string{}, preferred: found.isPreferred(one.Group, one.Version)}
		if k.typeName, err = typeOf(one.Group, one.Version, one.Kind); err != nil {
			return nil, err
		}
		if contains(one.Verbs, "list") {
			if k.listName, err = typeOf(one.Group, one.Version, one.Kind+"List"); err != nil {
				return nil, err
			}
		}
		for _, sub := range one.Subresources {
			if k.subTypes[sub.Name], err = typeOf(sub.Group, sub.Version, sub.Kind); err != nil {
				return nil, err
			}
		}
		made = append(made, k)
	}
	for _, extra := range extraTypes {
		if _, err := t.named(extra.path, extra.name); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (t *translator) sortedPackages() []*schemaPackage {
	var all []*schemaPackage
	for _, one := range t.packages {
		all = append(all, one)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].key < all[j].key })
	return all
}

func (p *schemaPackage) names() []string {
	var names []string
	for name := range p.types {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
