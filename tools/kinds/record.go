package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"sync"
)

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

type groupDiscoveryList struct {
	Items []struct {
		Metadata struct{ Name string }
		Versions []struct {
			Version   string
			Resources []struct {
				Resource         string
				SingularResource string
				Scope            string
				Verbs            []string
				ShortNames       []string
				Categories       []string
				ResponseKind     groupVersionKind
				Subresources     []struct {
					Subresource  string
					ResponseKind groupVersionKind
					Verbs        []string
				}
			}
		}
	}
}

type groupVersionKind struct{ Group, Version, Kind string }

type resourceList struct {
	Resources []struct{ Name, StorageVersionHash string }
}

// record asks a running server for what the modules do not say.
func record(s *server, t *translator) (*discovery, error) {
	var version struct{ GitVersion string }
	if err := s.getJSON("/version", "application/json", &version); err != nil {
		return nil, err
	}
	found := &discovery{Version: version.GitVersion}
	for _, root := range []string{"/api", "/apis"} {
		var list groupDiscoveryList
		if err := s.getJSON(root, aggregated, &list); err != nil {
			return nil, err
		}
		for _, group := range list.Items {
			made := discoveredGroup{Name: group.Metadata.Name}
			for _, version := range group.Versions {
				made.Versions = append(made.Versions, version.Version)
				hashes, err := s.hashes(group.Metadata.Name, version.Version)
				if err != nil {
					return nil, err
				}
				for _, r := range version.Resources {
					kind := discovered{
						Group: group.Metadata.Name, Version: version.Version, Plural: r.Resource, Singular: r.SingularResource,
						Kind: r.ResponseKind.Kind, Namespaced: r.Scope == "Namespaced", Verbs: r.Verbs, ShortNames: r.ShortNames,
						Categories: r.Categories, StorageVersionHash: hashes[r.Resource],
					}
					for _, sub := range r.Subresources {
						of := sub.ResponseKind
						// An empty group or version is that of the resource.
						if of.Version == "" {
							of.Group, of.Version = kind.Group, kind.Version
						}
						kind.Subresources = append(kind.Subresources, subresource{sub.Subresource, of.Group, of.Version, of.Kind, sub.Verbs})
					}
					found.Kinds = append(found.Kinds, kind)
				}
			}
			found.Groups = append(found.Groups, made)
		}
	}
	sortKinds(found.Kinds)
	gates, err := s.gates()
	if err != nil {
		return nil, err
	}
	found.Gates = gates
	groups, err := t.sources.groups()
	if err != nil {
		return nil, err
	}
	for at := range found.Kinds {
		kind := &found.Kinds[at]
		importPath, ok := groups[kind.Group+"/"+kind.Version]
		if !ok {
			return nil, fmt.Errorf("no package has the group %q and the version %s", kind.Group, kind.Version)
		}
		full, err := t.named(importPath, kind.Kind)
		if err != nil {
			return nil, err
		}
		if err := s.selectable(kind, t, full); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *server) hashes(group, version string) (map[string]string, error) {
	var list resourceList
	if err := s.getJSON(groupVersionPath(group, version), "application/json", &list); err != nil {
		return nil, err
	}
	hashes := map[string]string{}
	for _, r := range list.Resources {
		hashes[r.Name] = r.StorageVersionHash
	}
	return hashes, nil
}

var gateLine = regexp.MustCompile(`^kubernetes_feature_enabled\{name="(\w+)",stage="\w*"\} (\d)$`)

// gates reads from the metrics which features are on: there is no other place that tells.
func (s *server) gates() (map[string]bool, error) {
	status, body, err := s.get("/metrics", "text/plain")
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("the metrics were answered with %d: %w", status, err)
	}
	gates := map[string]bool{}
	for _, line := range strings.Split(string(body), "\n") {
		if found := gateLine.FindStringSubmatch(line); found != nil {
			gates[found[1]] = found[2] == "1"
		}
	}
	if len(gates) == 0 {
		return nil, fmt.Errorf("the metrics name no feature gates")
	}
	return gates, nil
}

func groupVersionPath(group, version string) string {
	if group == "" {
		return "/api/" + version
	}
	return "/apis/" + group + "/" + version
}

// Fields that a server selects by under a name that no field of the type has.
var aliases = []string{"spec.host"}

// selectable tries every field of the type, and a name that no kind has: no server tells what it accepts.
func (s *server) selectable(kind *discovered, t *translator, full string) error {
	if !contains(kind.Verbs, "list") {
		return nil
	}
	candidates := append(t.paths(t.lookup(full), "", 3), aliases...)
	accepted := make([]bool, len(candidates))
	failures := make(chan error, len(candidates))
	var waiting sync.WaitGroup
	slots := make(chan struct{}, 4)
	for at, candidate := range candidates {
		waiting.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; waiting.Done() }()
			status, _, err := s.select_(kind, candidate)
			if err == nil && status != http.StatusOK && status != http.StatusBadRequest {
				err = fmt.Errorf("%s by %s was answered with %d", kind.Plural, candidate, status)
			}
			if err != nil {
				failures <- err
			}
			accepted[at] = status == http.StatusOK
		}()
	}
	waiting.Wait()
	close(failures)
	for err := range failures {
		return err
	}
	for at, candidate := range candidates {
		if accepted[at] {
			kind.SelectableFields = append(kind.SelectableFields, candidate)
		}
	}
	sort.Strings(kind.SelectableFields)
	_, body, err := s.select_(kind, "listwatch.unknown")
	kind.OwnFieldLabels = strings.Contains(string(body), "field label not supported")
	return err
}

func (s *server) select_(kind *discovered, field string) (int, []byte, error) {
	path := groupVersionPath(kind.Group, kind.Version) + "/" + kind.Plural
	return s.get(path+"?limit=1&fieldSelector="+url.QueryEscape(field+"=true"), "application/json")
}

// paths are the names of all fields down to a depth, not through lists and maps.
func (t *translator) paths(of *node, prefix string, depth int) []string {
	var found []string
	for _, one := range t.resolve(of).Fields {
		path := prefix + one.Name
		found = append(found, path)
		if depth > 1 {
			found = append(found, t.paths(&one.node, path+".", depth-1)...)
		}
	}
	return found
}
