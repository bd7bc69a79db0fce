package main

import (
	"reflect"
	"testing"
)

func TestValidationsAreTheDeclarativeMarkers(t *testing.T) {
	got := validations([]string{
		"optional",
		"k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
		"k8s:required",
		`k8s:ifEnabled("X")=+k8s:maximum=1000 # a comment`,
	})
	want := []string{"required", `ifEnabled("X")=+k8s:maximum=1000`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPluralsAreInCamelCase(t *testing.T) {
	for _, one := range []struct{ kind, plural, want string }{
		{"Pod", "pods", "pods"},
		{"NetworkPolicy", "networkpolicies", "networkPolicies"},
		{"Endpoints", "endpoints", "endpoints"},
		{"CSIDriver", "csidrivers", "csiDrivers"},
		{"ServiceCIDR", "servicecidrs", "serviceCIDRs"},
		{"IPAddress", "ipaddresses", "ipAddresses"},
	} {
		if got := pluralName(&kind{discovered: discovered{Kind: one.kind, Plural: one.plural}}); got != one.want {
			t.Errorf("%s: got %s, want %s", one.plural, got, one.want)
		}
	}
}

func TestTextsAreQuotedForTypeScript(t *testing.T) {
	for text, want := range map[string]string{`a"b`: `'a"b'`, `it's`: `'it\'s'`, `a\b`: `'a\\b'`} {
		if got := quote(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAWrongNumberIsAProblem(t *testing.T) {
	sources, err := openSources()
	if err != nil {
		t.Skip(err)
	}
	made := &translator{sources: sources, packages: map[string]*schemaPackage{}}
	if _, err := made.named("k8s.io/api/core/v1", "ContainerPort"); err != nil {
		t.Fatal(err)
	}
	if err := made.checkProto(); err != nil || len(made.problems) > 0 {
		t.Fatal(err, made.problems)
	}
	made.lookup("core/v1.ContainerPort").Fields[0].Number = 2
	if err := made.checkProto(); err != nil || len(made.problems) != 2 {
		t.Errorf("want a wrong type and a missing number: %v %q", err, made.problems)
	}
}
