package main

import "reflect"

// A patch of an object, with directives, and now and then with a mistake.
func (g *generator) patch(t reflect.Type, object map[string]any) map[string]any {
	patch := map[string]any{}
	fresh := g.fields(t, 5)
	for _, one := range fieldsOf(t) {
		old, had := object[one.name]
		now, has := fresh[one.name]
		switch {
		case had && g.chance(60):
			g.patchField(patch, one, old)
		case has && g.chance(40):
			patch[one.name] = now
			if list, isList := now.([]any); isList && one.strategy != "" && g.chance(30) {
				patch["$setElementOrder/"+one.name] = g.order(one, list)
			}
		}
	}
	if g.chance(3) {
		patch["$patch"] = []any{"replace", "delete", "merge", "other", int64(5), nil, 0.5, true}[g.random.Intn(8)]
	}
	return patch
}

func (g *generator) patchField(patch map[string]any, one field, old any) {
	t := plain(one.of)
	if g.chance(6) {
		patch[one.name] = []any{nil, "text", []any{}, map[string]any{}, map[string]any{"$patch": "delete"}, 0.5}[g.random.Intn(6)]
		return
	}
	switch typed := old.(type) {
	case map[string]any:
		if t.Kind() == reflect.Struct && !scalars[t.Name()] && t.Name() != "RawExtension" {
			below := g.patch(t, typed)
			if g.chance(8) || (one.strategy != "" && g.chance(40)) {
				below["$retainKeys"] = g.retained(below, typed)
			}
			patch[one.name] = below
		} else {
			below := map[string]any{g.word(): g.word(), g.word(): nil}
			if g.chance(15) {
				below["$patch"] = []any{"replace", "delete", "other"}[g.random.Intn(3)]
			}
			if g.chance(15) {
				below["e"] = map[string]any{"x": "y"}
			}
			patch[one.name] = below
		}
	case []any:
		g.patchList(patch, one, typed)
	default:
		patch[one.name] = g.value(one.of, one, 2)
	}
}

func (g *generator) patchList(patch map[string]any, one field, old []any) {
	t := plain(one.of)
	list, isList := g.changedValue(one, old).([]any)
	if !isList {
		return
	}
	if one.mergeKey == "" {
		if len(list) > 0 || g.chance(20) {
			patch[one.name] = list
		}
		if (one.strategy != "" && g.chance(50)) || g.chance(4) {
			patch["$deleteFromPrimitiveList/"+one.name] = old[:g.random.Intn(len(old)+1)]
		}
	} else {
		items := []any{}
		for _, item := range list {
			if g.chance(70) {
				items = append(items, g.patchItem(plain(t.Elem()), one, item))
			}
		}
		if g.chance(8) {
			items = append(items, map[string]any{"$patch": "replace"})
		}
		if g.chance(2) {
			items = append(items, []any{"text", nil, []any{}, map[string]any{"image": "no key"}, map[string]any{one.mergeKey: nil}}[g.random.Intn(5)])
		}
		patch[one.name] = items
	}
	if g.chance(40) {
		if order := g.order(one, list); len(order) > 0 {
			patch["$setElementOrder/"+one.name] = order
		}
		if g.chance(15) {
			delete(patch, one.name)
		}
	}
	if g.chance(1) {
		patch["$setElementOrder/"+one.name] = "text"
	}
}

func (g *generator) patchItem(t reflect.Type, one field, item any) any {
	object, isObject := item.(map[string]any)
	if !isObject {
		return item
	}
	if g.chance(15) {
		return map[string]any{"$patch": "delete", one.mergeKey: object[one.mergeKey]}
	}
	if g.chance(1) {
		return map[string]any{"$patch": "merge", one.mergeKey: object[one.mergeKey]}
	}
	patch := g.patch(t, object)
	delete(patch, "$setElementOrder/"+one.mergeKey)
	patch[one.mergeKey] = object[one.mergeKey]
	if one.strategy == "merge,retainKeys" && g.chance(50) {
		patch["$retainKeys"] = g.retained(patch, object)
	}
	return patch
}

// The keys that stay: those of the patch and some of the object, seldom too few.
func (g *generator) retained(patch, object map[string]any) []any {
	names := []any{}
	for _, key := range keysOf(patch) {
		if key[0] != '$' && !g.chance(4) {
			names = append(names, key)
		}
	}
	for _, key := range keysOf(object) {
		if g.chance(50) {
			names = append(names, key)
		}
	}
	return names
}

// The order of a list for `$setElementOrder`, seldom another one.
func (g *generator) order(one field, list []any) []any {
	order := []any{}
	for _, item := range list {
		if object, isObject := item.(map[string]any); isObject {
			item = map[string]any{one.mergeKey: object[one.mergeKey]}
		}
		if !g.chance(2) {
			order = append(order, item)
		}
	}
	if g.chance(4) {
		g.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}
