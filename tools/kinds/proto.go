package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// protoField is a field of a message as generated.proto declares it.
type protoField struct{ label, typeName string }

var (
	messageStart = regexp.MustCompile(`^message (\w+) \{$`)
	fieldLine    = regexp.MustCompile(`^\s+(optional|repeated|required|)\s*((?:map<.*?>)|[\w.]+) (\w+) = (\d+);$`)
)

// readProto reads the messages of a package. The wire types in the tags of the Go types are often wrong; these are not.
func readProto(dir string) (map[string]map[int]protoField, error) {
	data, err := os.ReadFile(filepath.Join(dir, "generated.proto"))
	if err != nil {
		return nil, err
	}
	messages := map[string]map[int]protoField{}
	current := ""
	for _, line := range strings.Split(string(data), "\n") {
		if start := messageStart.FindStringSubmatch(line); start != nil {
			current = start[1]
			messages[current] = map[int]protoField{}
		}
		if found := fieldLine.FindStringSubmatch(line); found != nil && current != "" {
			number, err := strconv.Atoi(found[4])
			if err != nil {
				return nil, err
			}
			messages[current][number] = protoField{found[1], strings.ReplaceAll(found[2], " ", "")}
		}
	}
	return messages, nil
}

var protoScalars = map[string]string{
	"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "float64": "double", "bytes": "bytes",
	"time": "Time", "microTime": "MicroTime", "duration": "Duration", "fieldsV1": "FieldsV1", "quantity": "Quantity",
	"intOrString": "IntOrString", "rawExtension": "RawExtension", "json": "JSON",
}

// protoOf is the label and the type under which a value is declared, without the package of the type.
func (t *translator) protoOf(n *node) protoField {
	resolved := t.resolve(n)
	switch {
	case resolved.Wrapped || resolved.IsStruct:
		return protoField{"optional", n.Type[strings.LastIndex(n.Type, ".")+1:]}
	case resolved.List != nil:
		return protoField{"repeated", t.protoOf(resolved.List).typeName}
	case resolved.Map != nil:
		return protoField{"", "map<string," + t.protoOf(resolved.Map).typeName + ">"}
	}
	return protoField{"optional", protoScalars[resolved.Type]}
}

// checkProto compares the numbers and types of all fields with generated.proto.
func (t *translator) checkProto() error {
	for _, pkg := range t.sortedPackages() {
		dir, err := t.sources.dirOf(pkg.path)
		if err != nil {
			return err
		}
		messages, err := readProto(dir)
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			return err
		}
		for _, name := range pkg.names() {
			of := pkg.types[name]
			message, ok := messages[name]
			if !of.IsStruct {
				continue
			}
			if !ok && inProtobuf(of) {
				t.problems = append(t.problems, fmt.Sprintf("%s.%s is in no generated.proto", pkg.key, name))
			}
			if !ok {
				continue
			}
			seen := map[int]bool{}
			for _, one := range of.Fields {
				if one.Number == 0 {
					continue
				}
				declared := message
				for at, number := range append(append([]int{}, one.Within...), one.Number) {
					if at == 0 {
						seen[number] = true
					}
					if at < len(one.Within) {
						declared = messages[declared[number].typeName]
					}
				}
				want, got := declared[one.Number], t.protoOf(&one.node)
				want.typeName = shortProto(want.typeName)
				if want.label == "required" {
					want.label = "optional"
				}
				if want != got {
					t.problems = append(t.problems, fmt.Sprintf("%s.%s.%s is %v in generated.proto and %v here", pkg.key, name, one.Name, want, got))
				}
			}
			for number := range message {
				if !seen[number] {
					t.problems = append(t.problems, fmt.Sprintf("%s.%s has no field with the number %d", pkg.key, name, number))
				}
			}
		}
	}
	return nil
}

var qualified = regexp.MustCompile(`\.?(?:\w+\.)+(\w+)`)

func shortProto(typeName string) string {
	return qualified.ReplaceAllString(typeName, "$1")
}

func inProtobuf(of *node) bool {
	for _, one := range of.Fields {
		if one.Number != 0 {
			return true
		}
	}
	return false
}
