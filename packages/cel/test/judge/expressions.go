package main

import (
	"os"
	"strings"
)

// A line of expressions.txt is an expression, `# group @environment`, or nothing. `<<a ;; b>>` stands for a and for b, and a line
// with several of them for every combination. `¶` is a line break.
func readExpressions(path string) ([]testCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cases []testCase
	group, environment := "", ""
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "# "):
			group, environment, _ = strings.Cut(strings.TrimPrefix(line, "# "), " @")
		default:
			for _, expression := range expand(line) {
				cases = append(cases, testCase{
					Group: group, Environment: environment, Expression: strings.ReplaceAll(expression, "¶", "\n"),
				})
			}
		}
	}
	return cases, nil
}

// The last `<<` before the first `>>` is the innermost choice.
func expand(line string) []string {
	end := strings.Index(line, ">>")
	if end < 0 {
		return []string{line}
	}
	start := strings.LastIndex(line[:end], "<<")
	if start < 0 {
		panic("no << before >> in " + line)
	}
	var all []string
	for _, choice := range strings.Split(line[start+2:end], " ;; ") {
		all = append(all, expand(line[:start]+choice+line[end+2:])...)
	}
	return all
}
