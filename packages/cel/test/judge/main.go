// What Kubernetes makes of CEL expressions: reads expressions.txt and environments.json, compiles and evaluates each expression as
// a rule of a CustomResourceDefinition would be, and prints one JSON line for each: type, value, errors, cost and estimated cost.
//
//	judge > cases.jsonl
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// An outcome that depends on the order in which Go walks over a map differs between runs: such an expression is left out.
const attempts = 24

type testCase struct {
	Group       string `json:"group"`
	Environment string `json:"environment,omitempty"`
	Expression  string `json:"expression"`
	outcome
}

type outcome struct {
	// The type that the checker gives to the expression.
	Type string `json:"type,omitempty"`
	// The value, see encodeValue.
	Value json.RawMessage `json:"value,omitempty"`
	// Why the expression does not compile.
	Refused string `json:"refused,omitempty"`
	// Why the evaluation failed.
	Failed string `json:"failed,omitempty"`
	// The cost at run time.
	Cost *uint64 `json:"cost,omitempty"`
	// The least and the largest cost that is expected, as text: they reach 2^64 - 1.
	Estimate []string `json:"estimate,omitempty"`
}

func main() {
	environments, err := readEnvironments("environments.json")
	if err != nil {
		panic(err)
	}
	expressions, err := readExpressions("expressions.txt")
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	seen := map[string]bool{}
	left := 0
	for _, one := range expressions {
		key := one.Environment + "\n" + one.Expression
		if seen[key] {
			continue
		}
		seen[key] = true
		environment, ok := environments[one.Environment]
		if !ok {
			panic(fmt.Sprintf("no environment %q", one.Environment))
		}
		solved, stable := environment.solve(one.Expression)
		if !stable {
			fmt.Fprintf(os.Stderr, "left out: %s\n", one.Expression)
			left++
			continue
		}
		one.outcome = solved
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(one); err != nil {
			panic(err)
		}
		if _, err := out.Write(line.Bytes()); err != nil {
			panic(err)
		}
	}
	fmt.Fprintf(os.Stderr, "%d expressions, %d left out\n", len(seen)-left, left)
}
