package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"reflect"
	"sort"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// Results that depend on the order in which Go walks over a map differ between runs: the sequence ends before such a step.
const attempts = 6

type step struct {
	Does        string         `json:"does"` // apply update
	Schema      int            `json:"schema,omitempty"`
	Version     string         `json:"version"`
	Subresource string         `json:"subresource,omitempty"`
	Manager     string         `json:"manager"`
	Force       bool           `json:"force,omitempty"`
	Sent        map[string]any `json:"sent"`
	Result      map[string]any `json:"result,omitempty"`
	Error       string         `json:"error,omitempty"`
	Conflict    string         `json:"conflict,omitempty"`
	Causes      []string       `json:"causes,omitempty"`
}

type world struct {
	random  *rand.Rand
	roots   []*node
	types   []managedfields.TypeConverter
	live    map[string]any // in v1; nil: there is no object
	configs map[string]map[string]any
	now     int
}

func newSequence(random *rand.Rand) *sequence {
	body, status := randomStruct(random, 3), randomStruct(random, 1)
	body.atomic, status.atomic = false, false
	body.fields = append(body.fields, field{name: "r1", node: randomNode(random, 2)})
	first := root(body, status)
	w := &world{random: random, roots: []*node{first}, configs: map[string]map[string]any{}}
	if random.Intn(4) == 0 {
		w.roots = append(w.roots, root(body.changed(random), status))
	}
	result := &sequence{Steps: []*step{}}
	for _, one := range w.roots {
		result.Schemas = append(result.Schemas, one.language())
		w.types = append(w.types, typesOf(one))
	}
	managers, count := 3, 5+random.Intn(4)
	if random.Intn(12) == 0 {
		managers, count = 14, 18
	}
	for index := 0; index < count; index++ {
		schema := 0
		if len(w.roots) > 1 && index >= count/2 {
			schema = 1
		}
		w.now = index
		one := w.newStep(schema, managers)
		if !w.run(one) {
			break
		}
		result.Steps = append(result.Steps, one)
	}
	return result
}

func (w *world) newStep(schema, managers int) *step {
	random := w.random
	one := &step{
		Schema:  schema,
		Does:    "apply",
		Version: []string{"v1", "v1", "v1", "v2"}[random.Intn(4)],
		Manager: fmt.Sprintf("m%d", random.Intn(managers)),
		Force:   random.Intn(3) == 0,
	}
	if managers > 3 || random.Intn(3) == 0 {
		one.Does, one.Force = "update", false
	}
	if managers > 3 {
		// Enough managers for the limit on them.
		one.Manager = fmt.Sprintf("m%d", w.now%managers)
	}
	if managers == 3 && random.Intn(12) == 0 {
		one.Manager = "kubectl"
	}
	if w.live != nil && managers == 3 && random.Intn(10) == 0 {
		one.Subresource = "status"
	}
	if one.Does == "apply" {
		one.Sent = w.config(one)
	} else {
		one.Sent = w.update(one, managers > 3)
	}
	return one
}

func (w *world) config(one *step) map[string]any {
	random := w.random
	root := w.roots[one.Schema].inVersion(one.Version)
	last := w.configs[one.Manager+one.Version+one.Subresource]
	var config map[string]any
	if last != nil && random.Intn(3) > 0 {
		config = root.mutatedObject(random, last, false)
	} else {
		config = root.newObject(random)
	}
	config["apiVersion"], config["kind"] = group+"/"+one.Version, "Thing"
	if random.Intn(20) == 0 {
		root.withMistake(random, config)
	}
	w.configs[one.Manager+one.Version+one.Subresource] = copied(config)
	return config
}

// newObject has a name and no more metadata than labels and finalizers.
func (n *node) newObject(random *rand.Rand) map[string]any {
	object := map[string]any{}
	for _, one := range n.fields {
		if one.name == "spec" || (one.name == "status" && random.Intn(3) == 0) {
			object[one.name] = one.node.value(random)
		}
	}
	object["metadata"] = randomMetadata(random)
	return object
}

func randomMetadata(random *rand.Rand) map[string]any {
	metadata := map[string]any{"name": "t"}
	if random.Intn(3) == 0 {
		metadata["labels"] = map[string]any{"l": []any{"x", "y"}[random.Intn(2)]}
	}
	if random.Intn(5) == 0 {
		metadata["finalizers"] = []any{[]any{"f/a", "f/b"}[random.Intn(2)]}
	}
	if random.Intn(8) == 0 {
		body := []string{`{"a":"x"}`, `{"a":"y","b":1}`, `{"c":{}}`}[random.Intn(3)]
		metadata["annotations"] = map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": `{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"labels":{"l":"x"}},"spec":` + body + `}`,
		}
	}
	return metadata
}

func (n *node) mutatedObject(random *rand.Rand, old map[string]any, duplicates bool) map[string]any {
	result := copied(old)
	for _, one := range n.fields {
		value, ok := result[one.name]
		switch {
		case one.name != "spec" && one.name != "status":
		case ok:
			result[one.name] = one.node.mutated(random, value, duplicates)
		case random.Intn(4) == 0:
			result[one.name] = one.node.value(random)
		}
	}
	if metadata, ok := result["metadata"].(map[string]any); ok && random.Intn(4) == 0 {
		if labels, _ := metadata["labels"].(map[string]any); len(labels) < 2 {
			delete(metadata, "labels")
		}
		for name, value := range randomMetadata(random) {
			if name != "labels" || metadata[name] == nil {
				metadata[name] = value
			}
		}
	}
	return result
}

func (w *world) update(one *step, many bool) map[string]any {
	random := w.random
	root := w.roots[one.Schema].inVersion(one.Version)
	var object map[string]any
	if w.live == nil {
		object = root.newObject(random)
	} else {
		object = copied(w.live)
		rename(object, "r1", "r"+one.Version[1:])
		object = root.mutatedObject(random, object, true)
	}
	object["apiVersion"], object["kind"] = group+"/"+one.Version, "Thing"
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	chance := random.Intn(14)
	if many {
		// Each manager keeps a field of its own, so that their number reaches its limit.
		chance = 9
		labels, _ := metadata["labels"].(map[string]any)
		if labels == nil {
			labels = map[string]any{}
			metadata["labels"] = labels
		}
		labels[one.Manager+one.Version] = fmt.Sprint(w.now)
	}
	switch chance {
	case 0:
		metadata["managedFields"] = []any{}
	case 1:
		metadata["managedFields"] = []any{map[string]any{}}
	case 2, 3:
		if list, ok := metadata["managedFields"].([]any); ok {
			metadata["managedFields"] = w.changedManagers(list)
		}
	case 4:
	default:
		delete(metadata, "managedFields")
	}
	return object
}

func (w *world) changedManagers(list []any) []any {
	random := w.random
	result := []any{}
	for _, item := range list {
		entry := copied(item.(map[string]any))
		switch random.Intn(8) {
		case 0:
			continue
		case 1:
			entry["apiVersion"] = "x.io/v2"
		case 2:
			entry["apiVersion"] = "x.io/v0"
		case 3:
			entry["manager"] = "m1"
		case 4:
			entry["fieldsV1"] = map[string]any{
				"f:spec":       map[string]any{"f:b": map[string]any{}, ".": map[string]any{}, "x:unknown": map[string]any{}, "f:a": map[string]any{"f:b": map[string]any{}, `k:{"p":"TCP","k":"k1"}`: map[string]any{}}},
				`v: "<a&"`:     map[string]any{},
				"i:12":         map[string]any{},
				"f:\U0001f600": map[string]any{}, "f:\uffee": map[string]any{},
			}
		case 5:
			if random.Intn(4) == 0 {
				entry["operation"] = "Delete"
			}
		}
		result = append(result, entry)
	}
	return result
}

// run solves a step a few times and keeps its result as the next stored object. False: the results differ.
func (w *world) run(one *step) bool {
	for attempt := 0; attempt < attempts; attempt++ {
		again := *one
		again.Result, again.Error, again.Conflict, again.Causes = nil, "", "", nil
		w.solve(&again)
		if attempt == 0 {
			one.Result, one.Error, one.Conflict, one.Causes = again.Result, again.Error, again.Conflict, again.Causes
		} else if !reflect.DeepEqual(*one, again) {
			return false
		}
	}
	if one.Result != nil {
		w.live = copied(one.Result)
		rename(w.live, "r"+one.Version[1:], "r1")
		w.live["apiVersion"] = group + "/v1"
	}
	return true
}

func (w *world) solve(one *step) {
	manager := managerOf(w.types[one.Schema], one.Version, one.Subresource)
	live := &unstructured.Unstructured{Object: map[string]any{}}
	if w.live != nil {
		live.Object = copied(w.live)
		rename(live.Object, "r1", "r"+one.Version[1:])
	}
	live.SetGroupVersionKind(kindOf(one.Version))
	sent := &unstructured.Unstructured{Object: copied(one.Sent)}
	if one.Does == "update" {
		one.Result = w.stored(one, manager.UpdateNoErrors(live, sent, one.Manager))
		return
	}
	result, err := manager.Apply(live, sent, one.Manager, one.Force)
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &status) && status.Status().Reason == metav1.StatusReasonConflict:
		one.Conflict = status.Status().Message
		for _, cause := range status.Status().Details.Causes {
			one.Causes = append(one.Causes, string(cause.Type)+" "+cause.Message+" "+cause.Field)
		}
		sort.Strings(one.Causes)
	case err != nil:
		one.Error = strings.TrimSpace(err.Error())
	default:
		one.Result = w.stored(one, result)
	}
}

// stored is the object as it is read again: it has a uid, and times are those of the sequence, not of this run.
func (w *world) stored(one *step, result runtime.Object) map[string]any {
	// An apply ends in the version that objects are stored in.
	converted, err := converter{}.ConvertToVersion(result, kindOf(one.Version).GroupVersion())
	if err != nil {
		panic(err)
	}
	object := converted.(*unstructured.Unstructured)
	metadata, _ := object.Object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object.Object["metadata"] = metadata
	}
	metadata["uid"] = "u"
	written := copied(object.Object)
	list, _ := written["metadata"].(map[string]any)["managedFields"].([]any)
	for _, item := range list {
		entry := item.(map[string]any)
		if at, ok := entry["time"].(string); ok {
			if parsed, err := time.Parse(time.RFC3339, at); err == nil && time.Since(parsed) < 24*time.Hour {
				entry["time"] = fmt.Sprintf("2020-01-01T00:00:%02dZ", w.now)
			}
		}
	}
	return written
}

func copied(value map[string]any) map[string]any {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	result := &unstructured.Unstructured{}
	wrapped := append([]byte(`{"apiVersion":"v1","kind":"List","v":`), data...)
	if err := result.UnmarshalJSON(append(wrapped, '}')); err != nil {
		panic(err)
	}
	return result.Object["v"].(map[string]any)
}
