// What Kubernetes makes of strategic merge patches: generated objects of many types, patches of them with every directive, and
// two-way and three-way patches between them. One JSON line for each case; the same lines for the same seed.
//
//	strategic-merge [seed]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// A result that depends on the order in which Go walks over a map differs between runs: such a case is left out.
const attempts = 300

type testCase struct {
	Type     string          `json:"type"`
	Does     string          `json:"does"`
	Original json.RawMessage `json:"original"`
	Patch    json.RawMessage `json:"patch,omitempty"`
	Modified json.RawMessage `json:"modified,omitempty"`
	Current  json.RawMessage `json:"current,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    string          `json:"error,omitempty"`
	Panics   bool            `json:"panics,omitempty"`
}

func main() {
	seed := int64(1)
	if len(os.Args) > 1 {
		if _, err := fmt.Sscan(os.Args[1], &seed); err != nil {
			panic(err)
		}
	}
	random := rand.New(rand.NewSource(seed))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for round := 0; round < 120; round++ {
		for _, one := range orderCases(&generator{random: random}) {
			if solve(&one, orderObject[one.Type]) {
				if err := encoder.Encode(one); err != nil {
					panic(err)
				}
			}
		}
	}
	for round := 0; round < 10; round++ {
		for _, entry := range kinds {
			for _, one := range casesOf(&generator{random: random}, entry.name, entry.object) {
				if solve(&one, entry.object) {
					if err := encoder.Encode(one); err != nil {
						panic(err)
					}
				}
			}
		}
	}
}

func casesOf(g *generator, name string, object any) []testCase {
	t := reflect.TypeOf(object)
	original := g.object(t)
	modified := g.changed(t, original)
	current := g.changed(t, original)
	one := testCase{Type: name, Original: encode(original)}
	apply, twoWay, threeWay, careful := one, one, one, one
	apply.Does, apply.Patch = "apply", encode(g.patch(t, original))
	twoWay.Does, twoWay.Modified = "twoWay", encode(modified)
	threeWay.Does, threeWay.Modified, threeWay.Current = "threeWay", encode(modified), encode(current)
	careful.Does, careful.Modified, careful.Current = "careful", encode(modified), encode(current)
	if g.random.Intn(3) > 0 {
		return []testCase{apply, twoWay, threeWay}
	}
	return []testCase{apply, twoWay, careful}
}

// Sets the outcome of a case. False when the outcome is not the same every time.
func solve(one *testCase, object any) bool {
	outcome := attempt(*one, object)
	for i := 1; i < attempts; i++ {
		again := attempt(*one, object)
		if again.Error != outcome.Error || again.Panics != outcome.Panics || string(again.Result) != string(outcome.Result) {
			return false
		}
	}
	*one = outcome
	return true
}

func attempt(one testCase, object any) (done testCase) {
	done = one
	defer func() {
		if recover() != nil {
			done.Panics = true
		}
	}()
	var result []byte
	var err error
	schema, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		panic(err)
	}
	switch one.Does {
	case "apply":
		result, err = strategicpatch.StrategicMergePatch(one.Original, one.Patch, object)
	case "twoWay":
		result, err = strategicpatch.CreateTwoWayMergePatch(one.Original, one.Modified, object)
	default:
		result, err = strategicpatch.CreateThreeWayMergePatch(one.Original, one.Modified, one.Current, schema, one.Does == "threeWay")
	}
	if _, isConflict := err.(mergepatch.ErrConflict); isConflict {
		done.Error = "conflict"
	} else if err != nil {
		done.Error = err.Error()
	} else {
		done.Result = result
	}
	return done
}

func encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", err, value))
	}
	return text
}
