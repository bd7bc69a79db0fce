package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
)

// discovered is what a kube-apiserver says about one resource. The modules do not say it: it is code of the server.
type discovered struct {
	Group              string        `json:"group"`
	Version            string        `json:"version"`
	Plural             string        `json:"plural"`
	Singular           string        `json:"singular"`
	Kind               string        `json:"kind"`
	Namespaced         bool          `json:"namespaced"`
	Verbs              []string      `json:"verbs"`
	ShortNames         []string      `json:"shortNames,omitempty"`
	Categories         []string      `json:"categories,omitempty"`
	StorageVersionHash string        `json:"storageVersionHash,omitempty"`
	Subresources       []subresource `json:"subresources,omitempty"`
	// SelectableFields are accepted in a fieldSelector.
	SelectableFields []string `json:"selectableFields,omitempty"`
	// OwnFieldLabels: an unknown field is refused with "field label not supported" instead of the generic text.
	OwnFieldLabels bool `json:"ownFieldLabels,omitempty"`
}

type subresource struct {
	Name    string   `json:"name"`
	Group   string   `json:"group"`
	Version string   `json:"version"`
	Kind    string   `json:"kind"`
	Verbs   []string `json:"verbs"`
}

// discovery is the content of discovery.json.
type discovery struct {
	// Version is the gitVersion of the server that was asked.
	Version string `json:"version"`
	// Groups are the groups in the order in which the server lists them, each with its versions, the preferred one first.
	Groups []discoveredGroup `json:"groups"`
	Kinds  []discovered      `json:"kinds"`
	// Gates says which feature gates are on by default.
	Gates map[string]bool `json:"gates"`
}

type discoveredGroup struct {
	Name     string   `json:"name"`
	Versions []string `json:"versions"`
}

func readDiscovery(path string) (*discovery, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found discovery
	return &found, json.Unmarshal(data, &found)
}

func (d *discovery) write(path string) error {
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// isPreferred says whether a version is the first of its group.
func (d *discovery) isPreferred(group, version string) bool {
	for _, one := range d.Groups {
		if one.Name == group {
			return len(one.Versions) > 0 && one.Versions[0] == version
		}
	}
	return false
}

func sortKinds(kinds []discovered) {
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		return fmt.Sprintf("%s\x00%s\x00%s", a.Group, a.Version, a.Plural) < fmt.Sprintf("%s\x00%s\x00%s", b.Group, b.Version, b.Plural)
	})
}
