// Command kinds writes packages/kinds from the types that Kubernetes publishes. See README.md.
package main

import (
	"flag"
	"fmt"
	"os"
)

const usage = `kinds writes packages/kinds from the types that Kubernetes publishes.

  kinds generate [-out ../../packages/kinds/src/generated]
  kinds record -server https://... -token ... -ca ca.crt
  kinds check -server https://... -token ... -ca ca.crt
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s", usage)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	out := flags.String("out", "../../packages/kinds/src/generated", "the folder to write")
	facts := flags.String("discovery", "discovery.json", "what a kube-apiserver said about its kinds")
	url := flags.String("server", "", "the address of a kube-apiserver")
	token := flags.String("token", "", "a token of an administrator of it")
	ca := flags.String("ca", "", "the file with its certificate authority")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	found, err := openSources()
	if err != nil {
		return err
	}
	t := &translator{sources: found, packages: map[string]*schemaPackage{}}
	switch args[0] {
	case "record":
		s, err := connect(*url, *token, *ca)
		if err != nil {
			return err
		}
		recorded, err := record(s, t)
		if err != nil {
			return err
		}
		return recorded.write(*facts)
	case "generate", "check":
		recorded, err := readDiscovery(*facts)
		if err != nil {
			return err
		}
		kinds, err := t.kinds(recorded)
		if err != nil {
			return err
		}
		if err := t.checkProto(); err != nil {
			return err
		}
		for _, problem := range t.problems {
			fmt.Fprintln(os.Stderr, problem)
		}
		if len(t.problems) > 0 {
			return fmt.Errorf("%d problems", len(t.problems))
		}
		if args[0] == "generate" {
			return generate(*out, t, kinds, recorded)
		}
		s, err := connect(*url, *token, *ca)
		if err != nil {
			return err
		}
		return check(s, t)
	}
	return fmt.Errorf("%s", usage)
}
