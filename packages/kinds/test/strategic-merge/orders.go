package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Small lists with every mix of additions, changes, deletions and orders: the order of the result depends on all of them. Left out is
// what Go does by accident: where an empty `$setElementOrder` or a scalar that a list has twice leads to.
func orderCases(g *generator) []testCase {
	objects := func(names []string) []any {
		items := []any{}
		for _, name := range names {
			items = append(items, map[string]any{"name": name})
		}
		return items
	}
	words := func(names []string) []any {
		items := []any{}
		for i, name := range names {
			if !slices.Contains(names[:i], name) {
				items = append(items, name)
			}
		}
		return items
	}
	original, modified, current := g.names(6), g.names(5), g.names(6)
	of := func(names []string) map[string]any {
		return map[string]any{"imagePullSecrets": objects(names)}
	}
	apply := testCase{Type: "core/v1.PodSpec", Does: "apply", Original: encode(of(original)), Patch: encode(g.orderPatch(objects))}
	twoWay := testCase{Type: "core/v1.PodSpec", Does: "twoWay", Original: encode(of(original)), Modified: encode(of(modified))}
	threeWay := testCase{
		Type: "core/v1.PodSpec", Does: "threeWay",
		Original: encode(of(original)), Modified: encode(of(modified)), Current: encode(of(current)),
	}
	meta := func(names []string) map[string]any {
		return map[string]any{"metadata": map[string]any{"finalizers": words(names)}}
	}
	scalars := testCase{
		Type: "core/v1.ConfigMap", Does: "threeWay",
		Original: encode(meta(original)), Modified: encode(meta(modified)), Current: encode(meta(current)),
	}
	shuffled := slices.Clone(original)
	g.random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	shuffle := testCase{Type: "core/v1.ConfigMap", Does: "twoWay", Original: encode(meta(original)), Modified: encode(meta(shuffled))}
	return []testCase{apply, twoWay, threeWay, scalars, shuffle}
}

var orderObject = map[string]any{"core/v1.PodSpec": corev1.PodSpec{}, "core/v1.ConfigMap": corev1.ConfigMap{}}

// Some of the first letters in any order, now and then one of them twice.
func (g *generator) names(most int) []string {
	names := []string{}
	for _, place := range g.random.Perm(most) {
		if g.chance(65) {
			names = append(names, string(rune('a'+place)))
		}
	}
	if len(names) > 0 && g.chance(10) {
		names = append(names, names[0])
	}
	return names
}

func (g *generator) orderPatch(objects func([]string) []any) map[string]any {
	order := append(g.names(7), "z")
	items, deleted := []any{}, []any{}
	for _, item := range objects(order) {
		if g.chance(60) {
			items = append(items, item)
		}
	}
	for _, item := range objects(g.names(6)) {
		if g.chance(40) {
			item.(map[string]any)["$patch"] = "delete"
			deleted = append(deleted, item)
		}
	}
	if g.chance(10) {
		items = append([]any{map[string]any{"$patch": "replace"}}, items...)
	}
	if g.chance(5) {
		items = append(items, map[string]any{"name": nil}, map[string]any{"name": nil}, map[string]any{"name": nil})
	}
	if g.chance(50) {
		items = append(items, deleted...)
	} else {
		items = append(deleted, items...)
	}
	patch := map[string]any{"imagePullSecrets": items}
	if g.chance(75) {
		patch["$setElementOrder/imagePullSecrets"] = objects(order)
	}
	return patch
}
