package main

import (
	"math/rand"
	"reflect"
	"sort"
	"strings"
)

// A generator makes JSON that fits a Go type, with few different values: so that items have the same merge keys.
type generator struct {
	random *rand.Rand
}

type field struct {
	name     string
	of       reflect.Type
	strategy string
	mergeKey string
}

// The fields of a struct by their names in JSON, those of inlined structs among them.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := 0; i < t.NumField(); i++ {
		one := t.Field(i)
		name, options, _ := strings.Cut(one.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" && (one.Anonymous || strings.Contains(options, "inline")) {
			fields = append(fields, fieldsOf(plain(one.Type))...)
		} else if name != "" && name != "managedFields" {
			fields = append(fields, field{name, one.Type, one.Tag.Get("patchStrategy"), one.Tag.Get("patchMergeKey")})
		}
	}
	return fields
}

func plain(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// Structs that are no objects in JSON.
var scalars = map[string]bool{
	"Quantity": true, "Time": true, "MicroTime": true, "IntOrString": true, "Duration": true, "FieldsV1": true,
}

func (g *generator) chance(percent int) bool { return g.random.Intn(100) < percent }

func (g *generator) word() string { return []string{"a", "b", "c", "d"}[g.random.Intn(4)] }

func (g *generator) object(t reflect.Type) map[string]any {
	object := map[string]any{}
	for tries := 0; len(object) == 0 && tries < 20; tries++ {
		object = g.fields(t, 5)
	}
	return object
}

func (g *generator) fields(t reflect.Type, depth int) map[string]any {
	object := map[string]any{}
	fields := fieldsOf(t)
	for _, one := range fields {
		percent := 12
		if len(fields) < 8 {
			percent = 35
		}
		if one.strategy != "" || one.name == "metadata" || one.name == "spec" || one.name == "template" {
			percent = 45
		}
		if g.chance(percent) {
			if value := g.value(one.of, one, depth-1); value != nil {
				object[one.name] = value
			}
		}
	}
	return object
}

func (g *generator) value(t reflect.Type, one field, depth int) any {
	t = plain(t)
	if scalars[t.Name()] {
		return g.word()
	}
	switch t.Kind() {
	case reflect.String:
		return g.word()
	case reflect.Bool:
		return g.chance(50)
	case reflect.Int32, reflect.Int64, reflect.Int, reflect.Uint8:
		return int64(g.random.Intn(4) + 8)
	case reflect.Float64:
		return 0.5
	case reflect.Struct:
		if t.Name() == "RawExtension" {
			return map[string]any{g.word(): g.word(), "e": map[string]any{g.word(): g.word()}}
		}
		if depth < 0 {
			return nil
		}
		return g.fields(t, depth)
	case reflect.Map:
		object := map[string]any{}
		for i := g.random.Intn(4); i > 0; i-- {
			if value := g.value(t.Elem(), field{}, depth); value != nil {
				object[g.word()] = value
			}
		}
		return object
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "YQ=="
		}
		return g.list(t, one, depth)
	}
	return nil
}

func (g *generator) list(t reflect.Type, one field, depth int) any {
	list := []any{}
	seen := map[any]bool{}
	for i := g.random.Intn(5); i > 0; i-- {
		item := g.value(t.Elem(), field{}, depth)
		if object, isObject := item.(map[string]any); isObject && one.mergeKey != "" {
			object[one.mergeKey] = g.key(t, one)
			if seen[object[one.mergeKey]] && !g.chance(8) {
				continue
			}
			seen[object[one.mergeKey]] = true
		} else if !isObject && one.strategy != "" && item != nil {
			if seen[item] {
				continue
			}
			seen[item] = true
		}
		if item != nil {
			list = append(list, item)
		}
	}
	if len(list) == 0 && !g.chance(8) {
		return nil
	}
	return list
}

func (g *generator) key(t reflect.Type, one field) any {
	for _, below := range fieldsOf(plain(t.Elem())) {
		if below.name == one.mergeKey {
			return g.value(below.of, field{}, 0)
		}
	}
	return g.word()
}

// Another object with some of the same values.
func (g *generator) changed(t reflect.Type, object map[string]any) map[string]any {
	fresh := g.fields(t, 5)
	result := map[string]any{}
	for _, one := range fieldsOf(t) {
		old, had := object[one.name]
		now, has := fresh[one.name]
		switch {
		case had && g.chance(70):
			result[one.name] = g.changedValue(one, old)
		case has && g.chance(40):
			result[one.name] = now
		}
	}
	return result
}

func (g *generator) changedValue(one field, old any) any {
	t := plain(one.of)
	switch typed := old.(type) {
	case map[string]any:
		if t.Kind() == reflect.Struct && !scalars[t.Name()] && t.Name() != "RawExtension" {
			return g.changed(t, typed)
		}
		result := map[string]any{}
		for _, key := range keysOf(typed) {
			if g.chance(70) {
				result[key] = typed[key]
			}
		}
		if g.chance(30) {
			result[g.word()] = g.word()
		}
		return result
	case []any:
		result := []any{}
		for _, item := range typed {
			object, isObject := item.(map[string]any)
			if isObject && g.chance(50) && t.Kind() == reflect.Slice && plain(t.Elem()).Kind() == reflect.Struct {
				item = g.changed(plain(t.Elem()), object)
				if one.mergeKey != "" {
					item.(map[string]any)[one.mergeKey] = object[one.mergeKey]
				}
			}
			if g.chance(75) {
				result = append(result, item)
			}
		}
		if more, isList := g.value(one.of, one, 2).([]any); isList && g.chance(40) {
			result = append(result, g.missing(one, result, more)...)
		}
		if g.chance(40) {
			g.random.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
		}
		return result
	}
	if g.chance(50) {
		return old
	}
	return g.value(one.of, one, 2)
}

// The items of `more` that `list` does not have.
func (g *generator) missing(one field, list, more []any) []any {
	seen := map[any]bool{}
	id := func(item any) any {
		if object, isObject := item.(map[string]any); isObject {
			return object[one.mergeKey]
		}
		return item
	}
	for _, item := range list {
		seen[id(item)] = true
	}
	var result []any
	for _, item := range more {
		if !seen[id(item)] {
			result = append(result, item)
		}
	}
	return result
}

func keysOf(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
