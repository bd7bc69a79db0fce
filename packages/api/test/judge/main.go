// Command judge prints what Go and Kubernetes make of random quantities, durations, addresses and ranges, one JSON
// array a line. The tests of packages/api compare their own answers with it.
//
//	go run . quantities > quantities.jsonl
//	go run . durations > durations.jsonl
//	go run . addresses > addresses.jsonl
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	netutils "k8s.io/utils/net"
)

func main() {
	judges := map[string]func(*rand.Rand) any{"quantities": quantity, "durations": duration, "addresses": address}
	judge, ok := judges[strings.Join(os.Args[1:], " ")]
	if !ok {
		fmt.Fprintln(os.Stderr, "usage: judge quantities|durations|addresses")
		os.Exit(2)
	}
	random := rand.New(rand.NewSource(20))
	lines := json.NewEncoder(os.Stdout)
	lines.SetEscapeHTML(false)
	for range 1500 {
		if err := lines.Encode(judge(random)); err != nil {
			panic(err)
		}
	}
}

// quantity: text, error or canonical text, sign, other text, comparison, sum, difference, rounded to 1 and to 1/1000.
func quantity(random *rand.Rand) any {
	text := quantityText(random)
	parsed, err := resource.ParseQuantity(text)
	if err != nil {
		return []any{text, err.Error()}
	}
	var other resource.Quantity
	var otherText string
	for otherText == "" || err != nil {
		otherText = quantityText(random)
		other, err = resource.ParseQuantity(otherText)
	}
	sum, difference, whole, milli := parsed.DeepCopy(), parsed.DeepCopy(), parsed.DeepCopy(), parsed.DeepCopy()
	sum.Add(other)
	difference.Sub(other)
	whole.RoundUp(0)
	milli.RoundUp(resource.Milli)
	return []any{text, nil, parsed.String(), parsed.Sign(), otherText, parsed.Cmp(other), sum.String(),
		difference.String(), whole.String(), milli.String()}
}

var suffixes = strings.Split(",,n,u,m,k,M,G,T,P,E,Ki,Mi,Gi,Ti,Pi,Ei,e3,E3,e-3,e1,e18,e-9,e-12,E2,e19,e+6,e0,x,i,K,e,mm", ",")

func quantityText(random *rand.Rand) string {
	return pick(random, "", "", "", "", "-", "+") + number(random) + pick(random, suffixes...)
}

// duration: text, error or nanoseconds and text.
func duration(random *rand.Rand) any {
	text := pick(random, "", "", "", "-", "+")
	for range random.Intn(4) {
		text += number(random) + pick(random, "ns", "us", "µs", "μs", "ms", "s", "m", "h", "s", "m", "h", "d", "")
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return []any{text, err.Error()}
	}
	return []any{text, nil, fmt.Sprint(int64(parsed)), parsed.String()}
}

// address: text and its canonical form, as an address and as a range; empty if it is none.
func address(random *rand.Rand) any {
	text := addressText(random)
	ip, network := "", ""
	if parsed := netutils.ParseIPSloppy(text); parsed != nil {
		ip = parsed.String()
	}
	if _, parsed, err := netutils.ParseCIDRSloppy(text); err == nil {
		network = parsed.String()
	}
	return []any{text, ip, network}
}

func addressText(random *rand.Rand) string {
	text := ""
	if random.Intn(2) == 0 {
		text = octets(random)
	} else {
		for range random.Intn(9) {
			text += pick(random, "0", "0", "1", "ab", "FFFF", "0db8", "2001", "12345", "000ab", "g", "") + ":"
		}
		text += pick(random, "1", "0", "", ":", ":1", "ffff", octets(random))
	}
	if random.Intn(3) == 0 {
		text += "/" + pick(random, "0", "8", "24", "32", "33", "64", "128", "129", "08", "", "-1", "+8", "99999")
	}
	return text
}

func octets(random *rand.Rand) string {
	parts := make([]string, pick(random, 4, 4, 4, 4, 4, 4, 3, 5))
	for index := range parts {
		parts[index] = pick(random, "0", "1", "10", "255", "192", "7", "127", "1", "10", "010", "00", "256", "", "a")
	}
	return strings.Join(parts, ".")
}

func number(random *rand.Rand) string {
	most := pick(random, 5, 5, 5, 5, 25)
	text := digits(random, most)
	if random.Intn(3) == 0 {
		text += "." + digits(random, most)
	}
	return text
}

func digits(random *rand.Rand, most int) string {
	text := make([]byte, random.Intn(most))
	for index := range text {
		text[index] = "0123456789000"[random.Intn(13)]
	}
	return string(text)
}

func pick[T any](random *rand.Rand, values ...T) T {
	return values[random.Intn(len(values))]
}
