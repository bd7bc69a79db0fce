package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func sortedKeys(m map[string]string) []string {
	return slices.Sorted(maps.Keys(m))
}

// A filler sets every field: each to a value that no other field has, so that two fields cannot be mistaken for one
// another. An empty one sets pointers, lists and maps and leaves what they hold at its zero value.
type filler struct {
	empty bool
	// What is left out; everything in it is told by another kind.
	without []reflect.Type
	// The structs around the value: a type that holds itself is filled once.
	around []reflect.Type
	count  int64
}

// 2024-02-29, so that a wrong calendar shows.
const start = 1709210096

func (f *filler) next() int64 {
	f.count++
	return f.count
}

func (f *filler) fill(value reflect.Value) {
	if slices.Contains(f.without, value.Type()) || f.special(value) {
		return
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if slices.Contains(f.around, value.Type().Elem()) {
			return
		}
	}
	switch value.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		f.fill(value.Elem())
	case reflect.Struct:
		f.around = append(f.around, value.Type())
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() && value.Type().Field(i).Type != reflect.TypeFor[metav1.TypeMeta]() {
				f.fill(value.Field(i))
			}
		}
		f.around = f.around[:len(f.around)-1]
	case reflect.Slice:
		f.fillSlice(value)
	case reflect.Map:
		f.fillMap(value)
	default:
		if !f.empty {
			f.fillScalar(value)
		}
	}
}

// special fills the types that are something else in JSON than they are in Go.
func (f *filler) special(value reflect.Value) bool {
	n := f.next()
	var special any
	switch value.Interface().(type) {
	case metav1.Time:
		special = metav1.Unix(start+n, 0)
	case metav1.MicroTime:
		special = metav1.NewMicroTime(time.Unix(start+n, n*1000))
	case resource.Quantity:
		special = *resource.NewMilliQuantity(n*10+1, resource.DecimalSI)
	case intstr.IntOrString:
		special = intstr.FromInt32(int32(n))
		if n%2 == 0 {
			special = intstr.FromString(fmt.Sprintf("%d%%", n))
		}
	case metav1.FieldsV1:
		special = *metav1.NewFieldsV1(fmt.Sprintf(`{"f:%d":{}}`, n))
	case metav1.Duration:
		special = metav1.Duration{Duration: time.Duration(n*1_000_000_001) * 7}
	case runtime.RawExtension:
		special = runtime.RawExtension{Raw: fmt.Appendf(nil, `{"n":%d}`, n)}
	case apiextensionsv1.JSON:
		special = apiextensionsv1.JSON{Raw: fmt.Appendf(nil, `["%d"]`, n)}
	case apiextensionsv1.JSONSchemaPropsOrArray, apiextensionsv1.JSONSchemaPropsOrBool, apiextensionsv1.JSONSchemaPropsOrStringArray:
		value.Set(reflect.ValueOf(f.form(value.Interface(), n)))
		return true
	default:
		return false
	}
	if !f.empty {
		value.Set(reflect.ValueOf(special))
	}
	return true
}

// form fills the structs that are one of their fields in JSON, alone.
func (f *filler) form(value any, n int64) any {
	inner := apiextensionsv1.JSONSchemaProps{}
	if !f.empty {
		inner.Type = fmt.Sprintf("s%d", n)
	}
	isFirst := n%2 == 0
	switch form := value.(type) {
	case apiextensionsv1.JSONSchemaPropsOrArray:
		if isFirst {
			form.Schema = &inner
		} else {
			form.JSONSchemas = []apiextensionsv1.JSONSchemaProps{inner, inner}
		}
		return form
	case apiextensionsv1.JSONSchemaPropsOrBool:
		form.Allows = isFirst || !f.empty
		if !isFirst {
			form.Schema = &inner
		}
		return form
	case apiextensionsv1.JSONSchemaPropsOrStringArray:
		if isFirst {
			form.Schema = &inner
		} else {
			form.Property = []string{inner.Type, "x"}
		}
		return form
	}
	panic("no such form")
}

func (f *filler) fillSlice(value reflect.Value) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		value.SetBytes([]byte{0xff, byte(f.next())})
		return
	}
	// Structs once: lists of lists of two would be large. Scalars twice: they may be packed.
	length := 2
	if value.Type().Elem().Kind() == reflect.Struct {
		length = 1
	}
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := range length {
		f.fill(value.Index(i))
	}
}

func (f *filler) fillMap(value reflect.Value) {
	value.Set(reflect.MakeMap(value.Type()))
	for range 2 {
		key := reflect.New(value.Type().Key()).Elem()
		key.SetString(fmt.Sprintf("k%d", f.next()))
		item := reflect.New(value.Type().Elem()).Elem()
		f.fill(item)
		value.SetMapIndex(key, item)
	}
}

func (f *filler) fillScalar(value reflect.Value) {
	n := f.next()
	switch value.Kind() {
	case reflect.String:
		value.SetString(fmt.Sprintf("s%d é", n))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Float64:
		value.SetFloat(float64(n) + 0.25)
	case reflect.Int32, reflect.Int64:
		// Some below zero, some longer than seven bits.
		value.SetInt([]int64{n, -n, n << 16}[n%3])
	default:
		panic(fmt.Sprintf("no value for a %s", value.Type()))
	}
}
