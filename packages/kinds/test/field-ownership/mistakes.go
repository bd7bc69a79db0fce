package main

import "math/rand"

// withMistake makes one part of a configuration wrong. False: there was no place for it.
func (n *node) withMistake(random *rand.Rand, value any) bool {
	if n == nil {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		if n.kind == "struct" && !n.keeps && random.Intn(3) == 0 {
			value["undeclared"] = "x"
			return true
		}
		keys := sortedKeys(value)
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for _, name := range keys {
			if name == "apiVersion" || name == "kind" || name == "metadata" {
				continue
			}
			member := n.member(name)
			if member == nil {
				continue
			}
			if member.withMistake(random, value[name]) {
				return true
			}
			if wrong, ok := member.wrong(random); ok && random.Intn(2) == 0 {
				value[name] = wrong
				return true
			}
		}
	case []any:
		for index, item := range value {
			switch {
			case n.kind == "mapList" && random.Intn(3) == 0:
				value[index] = []any{nil, "x", map[string]any{}, value[(index+1)%len(value)]}[random.Intn(4)]
				return true
			case n.kind == "set" && random.Intn(3) == 0:
				value[index] = []any{nil, map[string]any{}, []any{}, value[(index+1)%len(value)]}[random.Intn(4)]
				return true
			case n.item.withMistake(random, item):
				return true
			}
		}
	}
	return false
}

func (n *node) wrong(random *rand.Rand) (any, bool) {
	object := map[string]any{"b": []any{int64(1), true, nil, "t"}, "a": 1.5}
	switch n.kind {
	case "string":
		return []any{int64(7), 1.5, true, object, []any{"x"}}[random.Intn(5)], true
	case "int":
		return []any{"x", true, object}[random.Intn(3)], true
	case "bool":
		return []any{"x", int64(1), object}[random.Intn(3)], true
	case "time":
		return []any{object, []any{}}[random.Intn(2)], true
	case "struct", "map", "deduced":
		return []any{"x", int64(1), []any{"x"}}[random.Intn(3)], true
	case "list", "set", "mapList":
		return []any{"x", object}[random.Intn(2)], true
	}
	return nil, false
}
