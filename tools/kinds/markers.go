package main

import (
	"go/ast"
	"strings"
)

// markersOf is each line of a comment that begins with `+`, without it.
func markersOf(group *ast.CommentGroup) []string {
	if group == nil {
		return nil
	}
	var found []string
	for _, comment := range group.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if rest, ok := strings.CutPrefix(text, "+"); ok {
			found = append(found, rest)
		}
	}
	return found
}

// valueOf is what stands behind `name=` or, for a marker without a value, the empty text.
func valueOf(markers []string, name string) (string, bool) {
	for _, marker := range markers {
		if value, ok := strings.CutPrefix(marker, name+"="); ok {
			return strings.TrimSpace(value), true
		}
		if marker == name {
			return "", true
		}
	}
	return "", false
}

func valuesOf(markers []string, name string) []string {
	var found []string
	for _, marker := range markers {
		if value, ok := strings.CutPrefix(marker, name+"="); ok {
			found = append(found, strings.TrimSpace(value))
		}
	}
	return found
}

// Markers for code generators, which say nothing about values.
var generatorMarkers = []string{
	"deepcopy-gen", "prerelease-lifecycle-gen", "conversion-gen", "openapi-gen", "openapi-model-package", "defaulter-gen",
	"validation-gen", "protobuf-gen", "conversion-fn", "register-gen", "client-gen", "deprecated", "conversion-generator",
}

// validations are the declarative validation markers, without `k8s:` and without trailing comments.
func validations(markers []string) []string {
	var found []string
next:
	for _, marker := range markers {
		rest, ok := strings.CutPrefix(marker, "k8s:")
		if !ok {
			continue
		}
		for _, generator := range generatorMarkers {
			if strings.HasPrefix(rest, generator) {
				continue next
			}
		}
		rest, _, _ = strings.Cut(rest, " #")
		found = append(found, strings.TrimSpace(rest))
	}
	return found
}
