// What Go's own types say: every kind that the server knows, filled by reflection, as JSON and as protobuf.
//
//	protobuf objects              one JSON line for each kind and way of filling it
//	protobuf lease <kubeconfig>   creates, updates and deletes a Lease with the typed client of client-go
//	protobuf informers <kubeconfig>   watches ConfigMaps with a typed informer and with one of metadata
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "objects":
		return writeObjects(os.Stdout)
	case len(args) == 2 && args[0] == "lease":
		return useLease(args[1])
	case len(args) == 2 && args[0] == "informers":
		return useInformers(args[1])
	}
	return fmt.Errorf("usage: protobuf objects | protobuf lease <kubeconfig> | protobuf informers <kubeconfig>")
}
