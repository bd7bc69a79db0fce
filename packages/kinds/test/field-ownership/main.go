// What Kubernetes makes of writes and applies: random schemas, objects, managers and writes. The field manager of apimachinery, which
// uses structured-merge-diff, answers. One JSON line for each sequence of writes, followed by two
// sets of fields as they are read and printed; the same lines for the same seed.
//
//	field-ownership [seed [sequences]]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"

	"k8s.io/klog/v2"
)

type sequence struct {
	// The second one, if any, is in force from some step on.
	Schemas []map[string]any `json:"schemas"`
	Steps   []*step          `json:"steps"`
}

func main() {
	seed, count := int64(1), 145
	for index, into := range []any{&seed, &count} {
		if len(os.Args) > index+1 {
			if _, err := fmt.Sscan(os.Args[index+1], into); err != nil {
				panic(err)
			}
		}
	}
	// Failures of updates are results here, not news.
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for index := 0; index < count; index++ {
		// Each sequence has a seed of its own: one that is left out does not change the others.
		random := rand.New(rand.NewSource(seed*1_000_000 + int64(index)))
		for _, one := range []any{newSequence(random), newPrinted(random), newPrinted(random)} {
			if err := encoder.Encode(one); err != nil {
				panic(err)
			}
		}
	}
}
