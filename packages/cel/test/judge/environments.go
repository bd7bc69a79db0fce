package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// The variables of an expression, as a rule of a CustomResourceDefinition has them.
type environmentData struct {
	// The schema of self, and of oldSelf.
	Schema json.RawMessage `json:"schema"`
	// True at the root of a custom resource.
	Root            bool            `json:"root"`
	Self            json.RawMessage `json:"self"`
	OldSelf         json.RawMessage `json:"oldSelf"`
	OptionalOldSelf bool            `json:"optionalOldSelf"`
}

type variables struct {
	env       *cel.Env
	estimator *library.CostEstimator
	values    func() map[string]any
}

func readEnvironments(path string) (map[string]*variables, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	data := map[string]environmentData{}
	if err := decoder.Decode(&data); err != nil {
		return nil, err
	}
	all := map[string]*variables{}
	for name, one := range data {
		if all[name], err = newVariables(one); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func newVariables(data environmentData) (*variables, error) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	external := &v1.JSONSchemaProps{}
	if err := json.Unmarshal(data.Schema, external); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		return nil, err
	}
	declared := model.SchemaDeclType(structural, data.Root)
	if data.Root {
		structural = model.WithTypeAndObjectMeta(structural)
	}
	scoped := declared.MaybeAssignTypeName("selfType")
	oldType := scoped.CelType()
	if data.OptionalOldSelf {
		oldType = types.NewOptionalType(oldType)
	}
	extended, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", scoped.CelType()), cel.Variable("oldSelf", oldType)},
		DeclTypes:         []*apiservercel.DeclType{scoped},
	})
	if err != nil {
		return nil, err
	}
	values := func() map[string]any {
		bound := map[string]any{"self": schemacel.UnstructuredToVal(decode(data.Self), structural)}
		if data.OptionalOldSelf {
			bound["oldSelf"] = types.OptionalNone
		}
		if data.OldSelf != nil {
			old := schemacel.UnstructuredToVal(decode(data.OldSelf), structural)
			bound["oldSelf"] = old
			if data.OptionalOldSelf {
				bound["oldSelf"] = types.OptionalOf(old)
			}
		}
		return bound
	}
	estimator := &library.CostEstimator{SizeEstimator: &sizeEstimator{root: declared}}
	return &variables{env: extended.NewExpressionsEnv(), estimator: estimator, values: values}, nil
}

// Integers are int64, as in an object of the server.
func decode(text json.RawMessage) any {
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	return value
}

// Compiles, evaluates several times, and says whether each time gave the same. False as well where cel-go panics.
func (v *variables) solve(expression string) (solved outcome, stable bool) {
	defer func() {
		if recover() != nil {
			stable = false
		}
	}()
	ast, issues := v.env.Compile(expression)
	if issues != nil {
		_, again := v.env.Compile(expression)
		return outcome{Refused: issues.String()}, issues.String() == again.String()
	}
	program, err := v.env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(v.estimator),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		return outcome{Type: ast.OutputType().String(), Refused: "program instantiation failed: " + err.Error()}, true
	}
	estimate, err := v.env.EstimateCost(ast, v.estimator)
	if err != nil {
		panic(err)
	}
	solved = outcome{Type: ast.OutputType().String(), Estimate: []string{decimal(estimate.Min), decimal(estimate.Max)}}
	first := solved
	first.evaluate(program, v.values())
	for i := 1; i < attempts; i++ {
		again := solved
		again.evaluate(program, v.values())
		if string(again.Value) != string(first.Value) || again.Failed != first.Failed || *again.Cost != *first.Cost {
			return first, false
		}
	}
	return first, true
}

func (o *outcome) evaluate(program cel.Program, values map[string]any) {
	value, details, err := program.Eval(values)
	if details == nil || details.ActualCost() == nil {
		zero := uint64(0)
		o.Cost = &zero
	} else {
		cost := *details.ActualCost()
		o.Cost = &cost
	}
	if err != nil {
		o.Failed = err.Error()
		return
	}
	encoded, err := json.Marshal(encodeValue(value))
	if err != nil {
		panic(err)
	}
	o.Value = encoded
}

// The sizes that the schema of self promises: the rules of a CustomResourceDefinition are estimated with these.
type sizeEstimator struct {
	root *apiservercel.DeclType
}

func (s *sizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	node := s.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			node = node.ElemType
		case "@keys":
			node = node.KeyType
		default:
			field, ok := node.Fields[name]
			if !ok {
				return nil
			}
			node = field.Type
		}
		if node == nil {
			return nil
		}
	}
	size := uint64(0)
	if node.MaxElements > 0 && node.MaxElements <= math.MaxInt64 {
		size = uint64(node.MaxElements)
	}
	return &checker.SizeEstimate{Min: 0, Max: size}
}

func (s *sizeEstimator) EstimateCallCost(_, _ string, _ *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	return nil
}
