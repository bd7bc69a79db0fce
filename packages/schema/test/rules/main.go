// What Kubernetes makes of rules in CEL: reads cases.json, judges the rules of each schema as those of a CustomResourceDefinition,
// and evaluates them for each object. Prints one JSON line for each case.
//
//	rules > answers.jsonl
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

type testCase struct {
	Name    string          `json:"name"`
	Schema  json.RawMessage `json:"schema"`
	Objects []objectCase    `json:"objects"`
}

type objectCase struct {
	Value json.RawMessage `json:"value"`
	Old   json.RawMessage `json:"old"`
}

type answer struct {
	Name string `json:"name"`
	// What is wrong with the rules.
	Refused []string `json:"refused"`
	// What the rules say of each object.
	Objects []verdict `json:"objects"`
}

type verdict struct {
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
}

type recorder struct{ warnings []string }

func (r *recorder) AddWarning(_, text string) { r.warnings = append(r.warnings, text) }

var typeName = regexp.MustCompile("selfType[0-9]+")

func main() {
	text, err := os.ReadFile("cases.json")
	check(err)
	cases := []testCase{}
	check(json.Unmarshal(text, &cases))
	for _, one := range cases {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(judge(one)))
		// The name of a type is another one each time.
		fmt.Print(typeName.ReplaceAllString(line.String(), "selfType"))
	}
}

func judge(one testCase) answer {
	external := &v1.JSONSchemaProps{}
	check(json.Unmarshal(one.Schema, external))
	internal := &apiextensions.JSONSchemaProps{}
	check(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil))
	structural, err := schema.NewStructural(internal)
	check(err)
	result := answer{Name: one.Name, Refused: definitionErrors(internal), Objects: []verdict{}}
	validator := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	for _, object := range one.Objects {
		value, old := decode(object.Value), decode(object.Old)
		records := &recorder{}
		ctx := warning.WithWarningRecorder(context.Background(), records)
		options := []cel.Option{}
		if old != nil {
			correlated := common.NewCorrelatedObject(value, old, &model.Structural{Structural: structural})
			options = append(options, cel.WithRatcheting(correlated))
		}
		errs, _ := validator.Validate(ctx, nil, structural, value, old, celconfig.RuntimeCELCostBudget, options...)
		found := verdict{Errors: texts(errs), Warnings: append([]string{}, records.warnings...)}
		sort.Strings(found.Warnings)
		result.Objects = append(result.Objects, found)
	}
	return result
}

func definitionErrors(properties *apiextensions.JSONSchemaProps) []string {
	yes := false
	definition := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com", ResourceVersion: "1"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: properties},
			}},
			PreserveUnknownFields: &yes,
		},
		Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	errs := field.ErrorList{}
	for _, one := range validation.ValidateCustomResourceDefinition(context.Background(), definition) {
		if strings.Contains(one.Error(), "x-kubernetes-validations") || strings.Contains(one.Error(), "rule") {
			errs = append(errs, one)
		}
	}
	return texts(errs)
}

// Go walks over maps in a random order.
func texts(errs field.ErrorList) []string {
	all := []string{}
	for _, one := range errs {
		all = append(all, one.Error())
	}
	sort.Strings(all)
	return all
}

func decode(text json.RawMessage) any {
	if text == nil {
		return nil
	}
	var value any
	check(utiljson.Unmarshal(text, &value))
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
