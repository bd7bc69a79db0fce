package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// errNotOffered is for a command that the client has no API for.
var errNotOffered = errors.New("not offered")

// versions has the resourceVersion of each key.
type versions map[string]string

func (v versions) add(object any) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	v[accessor.GetNamespace()+"/"+accessor.GetName()] = accessor.GetResourceVersion()
	return nil
}

// versionsOf reads any list.
func versionsOf(list runtime.Object) (versions, error) {
	found := versions{}
	err := meta.EachListItem(list, func(object runtime.Object) error { return found.add(object) })
	return found, err
}

func (v versions) print() {
	for key, version := range v {
		fmt.Printf("= %s %s\n", key, version)
	}
}

// answerCommands answers each line of the standard input, until `end`. The handler prints what comes before `ok`.
func answerCommands(handle func(command string, args []string) error) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch err := handle(words[0], words[1:]); {
		case errors.Is(err, errNotOffered):
			fmt.Printf("not-offered %v\n", err)
		case err != nil:
			fmt.Printf("failed %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		default:
			fmt.Println("ok")
		}
		if words[0] == "end" {
			return
		}
	}
}
