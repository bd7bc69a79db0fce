package main

import (
	"math/rand"
	"sort"
)

// value is a random value of a schema. Values come from few, so that managers meet.
func (n *node) value(random *rand.Rand) any {
	if random.Intn(25) == 0 {
		return nil
	}
	switch n.kind {
	case "string", "time":
		return []string{"x", "y", "z", "<a&\u2028", "é\"\\", "\b\n"}[skewed(random, 6)]
	case "int":
		return []any{int64(1), int64(2), int64(3), int64(8443000)}[skewed(random, 4)]
	case "bool":
		return random.Intn(2) == 0
	case "intOrString":
		return []any{int64(1), "1", "50%"}[random.Intn(3)]
	case "any", "deduced":
		return anyValue(random, n.kind == "deduced", 2)
	case "struct":
		result := map[string]any{}
		for _, one := range n.fields {
			if random.Intn(3) > 0 {
				result[one.name] = one.node.value(random)
			}
		}
		if n.keeps && random.Intn(2) == 0 {
			result["unknown"] = anyValue(random, false, 1)
		}
		return result
	case "map":
		result := map[string]any{}
		for _, name := range []string{"m1", "m2", "constructor", "__proto__"} {
			if random.Intn(3) == 0 {
				result[name] = n.item.value(random)
			}
		}
		return result
	case "list":
		result := []any{}
		for count := random.Intn(3); count > 0; count-- {
			result = append(result, n.item.value(random))
		}
		return result
	default:
		return n.items(random)
	}
}

// items have a key each; only stored objects have two of one key.
func (n *node) items(random *rand.Rand) []any {
	result := []any{}
	for count := random.Intn(4); count > 0; count-- {
		if item := n.newItem(random); item != nil && !n.has(result, item) {
			result = append(result, item)
		}
	}
	return result
}

func (n *node) newItem(random *rand.Rand) any {
	if n.kind == "set" {
		for {
			if item := n.item.value(random); item != nil {
				return item
			}
		}
	}
	item, _ := n.item.value(random).(map[string]any)
	if item == nil {
		return nil
	}
	item["k"] = []string{"k1", "k2", "k3", "<k>"}[skewed(random, 4)]
	for _, key := range n.keys[1:] {
		delete(item, key)
		if random.Intn(2) == 0 {
			item[key] = map[string]any{"p": []any{"TCP", "UDP"}[random.Intn(2)], "n": []any{int64(1), int64(2)}[random.Intn(2)]}[key]
		}
	}
	return item
}

func (n *node) has(items []any, item any) bool {
	for _, other := range items {
		if n.kind == "set" {
			if other == item {
				return true
			}
			continue
		}
		one, isMap := other.(map[string]any)
		two := item.(map[string]any)
		same := isMap
		for _, key := range n.keys {
			same = same && n.keyOf(one, key) == n.keyOf(two, key)
		}
		if same {
			return true
		}
	}
	return false
}

func (n *node) keyOf(item map[string]any, key string) any {
	if value, ok := item[key]; ok {
		return value
	}
	for _, one := range n.item.fields {
		if one.name == key {
			return one.fallback
		}
	}
	return nil
}

func anyValue(random *rand.Rand, isMap bool, depth int) any {
	if isMap || (depth > 0 && random.Intn(3) == 0) {
		result := map[string]any{}
		for _, name := range []string{"u", "v"} {
			if random.Intn(2) == 0 {
				result[name] = anyValue(random, false, depth-1)
			}
		}
		return result
	}
	if depth > 0 && random.Intn(3) == 0 {
		return []any{anyValue(random, false, depth-1), "x"}
	}
	return []any{"x", int64(1), true, nil}[random.Intn(4)]
}

// mutated is a value that differs here and there. With duplicates, lists may get two items of one key.
func (n *node) mutated(random *rand.Rand, old any, duplicates bool) any {
	if random.Intn(8) == 0 {
		return n.value(random)
	}
	switch value := old.(type) {
	case map[string]any:
		result := map[string]any{}
		for _, name := range sortedKeys(value) {
			item := n.member(name)
			switch {
			case random.Intn(8) == 0:
			case item != nil && random.Intn(3) == 0:
				result[name] = item.mutated(random, value[name], duplicates)
			default:
				result[name] = value[name]
			}
		}
		for _, one := range n.fields {
			if _, ok := result[one.name]; !ok && random.Intn(6) == 0 {
				result[one.name] = one.node.value(random)
			}
		}
		if n.kind == "map" && random.Intn(4) == 0 {
			result["m3"] = n.item.value(random)
		}
		return result
	case []any:
		return n.mutatedItems(random, value, duplicates)
	}
	return old
}

func (n *node) member(name string) *node {
	for _, one := range n.fields {
		if one.name == name {
			return one.node
		}
	}
	if n.kind == "map" {
		return n.item
	}
	return nil
}

func (n *node) mutatedItems(random *rand.Rand, old []any, duplicates bool) any {
	result := []any{}
	for _, item := range old {
		switch {
		case random.Intn(6) == 0:
		case n.kind == "mapList" && random.Intn(3) == 0:
			result = append(result, n.mutatedItem(random, item, duplicates))
		default:
			result = append(result, item)
		}
	}
	if n.kind == "set" || n.kind == "mapList" {
		if item := n.newItem(random); item != nil && random.Intn(2) == 0 && (duplicates && random.Intn(4) == 0 || !n.has(result, item)) {
			result = append(result, item)
		}
	}
	if random.Intn(4) == 0 {
		random.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
	}
	return result
}

func (n *node) mutatedItem(random *rand.Rand, old any, duplicates bool) any {
	before, _ := old.(map[string]any)
	after, isMap := n.item.mutated(random, old, duplicates).(map[string]any)
	if before == nil || !isMap {
		return old
	}
	for _, key := range n.keys {
		delete(after, key)
		if value, ok := before[key]; ok {
			after[key] = value
		}
	}
	return after
}

func sortedKeys(value map[string]any) []string {
	keys := make([]string, 0, len(value))
	for key := range value {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// skewed prefers the first of some values.
func skewed(random *rand.Rand, count int) int {
	return min(random.Intn(count), random.Intn(count))
}
