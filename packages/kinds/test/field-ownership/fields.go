package main

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A printed set: FieldsV1 as a client may send it, and as Kubernetes writes it.
type printed struct {
	Fields  json.RawMessage `json:"fields"`
	Printed string          `json:"printed,omitempty"`
	Fails   bool            `json:"fails,omitempty"`
}

var elements = []string{
	"f:a", "f:b", "f:", "f:<&>", "f:é", "f:\U0001f600", "f:\uffee", "f:__proto__", "f:1", "f:k:v", "f:\b\n\"\\",
	`k:{"name":"a"}`, `k:{"b":1,"a":"x"}`, `k:{"a":"x","b":1}`, `k:{"a":"x"}`, `k:{"a":2}`, `k:{"a":10}`, `k:{"a":true}`, `k:{"a":null}`,
	`k:{"a":"<&>"}`, `k: {"a" : "z"}`, `k:{}`, `v:1`, `v:1.0`, `v:1.5`, `v:10`, `v:2`, `v:-1`, `v:"a"`, `v:"<a&"`, `v:"\b\f\n\u2028é"`, `v:true`,
	`v:false`, `v:null`, `i:0`, `i:10`, `i:9`, `i:-1`, "x:unknown", "y:",
}

var broken = []string{"nocolon", "f", "", "v:", "k:1", "i:x", "k:[]", "é:"}

func randomFields(random *rand.Rand, depth int) any {
	if depth == 0 || random.Intn(5) == 0 {
		return []any{map[string]any{}, map[string]any{}, map[string]any{".": map[string]any{}}, nil}[random.Intn(4)]
	}
	result := map[string]any{}
	for count := random.Intn(5); count >= 0; count-- {
		result[elements[random.Intn(len(elements))]] = randomFields(random, depth-1)
	}
	if random.Intn(3) == 0 {
		result["."] = map[string]any{}
	}
	if random.Intn(60) == 0 {
		result[broken[random.Intn(len(broken))]] = map[string]any{}
	}
	if random.Intn(100) == 0 {
		result["f:c"] = []any{"x", 1, []any{}}[random.Intn(3)]
	}
	return result
}

func newPrinted(random *rand.Rand) *printed {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(randomFields(random, 4)); err != nil {
		panic(err)
	}
	fields := bytes.TrimSpace(text.Bytes())
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader(fields)); err != nil {
		return &printed{Fields: fields, Fails: true}
	}
	data, err := set.ToJSON()
	if err != nil {
		panic(err)
	}
	return &printed{Fields: fields, Printed: strings.TrimSpace(string(data))}
}
