package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/api/resource"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

const largestSafe = 1<<53 - 1

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// A value as JSON that keeps its type. Strings, booleans, null and safe integers stand for themselves; everything else is an
// object with one key, the name of its type.
func encodeValue(value ref.Val) any {
	switch v := value.(type) {
	case types.Null:
		return nil
	case types.Bool:
		return bool(v)
	case types.String:
		return encodeString(string(v))
	case types.Int:
		if v > largestSafe || v < -largestSafe {
			return tagged("int", strconv.FormatInt(int64(v), 10))
		}
		return int64(v)
	case types.Uint:
		return tagged("uint", decimal(uint64(v)))
	case types.Double:
		return tagged("double", encodeDouble(float64(v)))
	case types.Bytes:
		return tagged("bytes", base64.StdEncoding.EncodeToString(v))
	case types.Timestamp:
		return tagged("timestamp", v.UTC().Format(time.RFC3339Nano))
	case types.Duration:
		return tagged("duration", strconv.FormatInt(int64(v.Duration), 10))
	case *types.Type:
		return tagged("type", v.String())
	case *types.Optional:
		if !v.HasValue() {
			return tagged("optional", []any{})
		}
		return tagged("optional", []any{encodeValue(v.GetValue())})
	case traits.Lister:
		items := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, encodeValue(it.Next()))
		}
		return items
	case traits.Mapper:
		return tagged("map", encodeEntries(v))
	case apiservercel.Quantity:
		return tagged("quantity", encodeQuantity(v.Quantity))
	case *apiservercel.Quantity:
		return tagged("quantity", encodeQuantity(v.Quantity))
	case apiservercel.URL:
		return tagged("url", v.String())
	case apiservercel.IP:
		return tagged("ip", v.Addr.String())
	case apiservercel.CIDR:
		return tagged("cidr", v.Prefix.String())
	case apiservercel.Semver:
		return tagged("semver", v.Version.String())
	case apiservercel.Format:
		return tagged("format", v.Name)
	case *apiservercel.Format:
		return tagged("format", v.Name)
	}
	return tagged("other", fmt.Sprintf("%T", value))
}

// The exact value, such as 15e-1: equal quantities have equal texts.
func encodeQuantity(quantity *resource.Quantity) string {
	copied := quantity.DeepCopy()
	decimal := copied.AsDec()
	if decimal.Sign() == 0 {
		return "0e0"
	}
	digits := decimal.UnscaledBig().String()
	short := strings.TrimRight(digits, "0")
	return fmt.Sprintf("%se%d", short, len(digits)-len(short)-int(decimal.Scale()))
}

func tagged(name string, value any) any { return map[string]any{name: value} }

// Go replaces bytes that are not UTF-8 when it writes JSON.
func encodeString(text string) any {
	written, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	var back string
	if err := json.Unmarshal(written, &back); err != nil || back != text {
		return tagged("string", base64.StdEncoding.EncodeToString([]byte(text)))
	}
	return text
}

func encodeDouble(number float64) any {
	switch {
	case math.IsNaN(number):
		return "NaN"
	case math.IsInf(number, 1):
		return "Infinity"
	case math.IsInf(number, -1):
		return "-Infinity"
	case number == 0 && math.Signbit(number):
		return "-0"
	}
	return number
}

func encodeEntries(value traits.Mapper) any {
	type entry struct {
		sortKey string
		pair    []any
	}
	entries := []entry{}
	for it := value.Iterator(); it.HasNext() == types.True; {
		// An object names fields here that it does not give: null ones and those that its schema does not know.
		key := it.Next()
		if key == nil {
			continue
		}
		item, found := value.Find(key)
		if !found {
			continue
		}
		encoded := encodeValue(key)
		text, err := json.Marshal(encoded)
		if err != nil {
			panic(err)
		}
		entries = append(entries, entry{string(text), []any{encoded, encodeValue(item)}})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].sortKey < entries[j].sortKey })
	pairs := []any{}
	for _, one := range entries {
		pairs = append(pairs, one.pair)
	}
	return pairs
}
