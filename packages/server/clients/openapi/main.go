// Reads the OpenAPI documents of a server with client-go, each as JSON and as protobuf, and compares the two: the protobuf must be
// what gnostic makes of the JSON.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	openapi2 "github.com/google/gnostic-models/openapiv2"
	openapi3 "github.com/google/gnostic-models/openapiv3"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/client-go/discovery"
	clientopenapi3 "k8s.io/client-go/openapi3"
	"k8s.io/client-go/tools/clientcmd"
)

const protobufType = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the kubeconfig of the server")
	flag.Parse()
	if err := run(*kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	if err := compareVersion3(client); err != nil {
		return err
	}
	if err := compareVersion2(client); err != nil {
		return err
	}
	return readAsSpecs(client)
}

func compareVersion3(client *discovery.DiscoveryClient) error {
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	for path, group := range paths {
		text, err := group.Schema("application/json")
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		bytes, err := group.Schema(protobufType)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		expected, err := openapi3.ParseDocument(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		given := &openapi3.Document{}
		if err := compare(path, expected, given, bytes); err != nil {
			return err
		}
	}
	fmt.Println(len(paths), "documents of version 3 are equal")
	return nil
}

func compareVersion2(client *discovery.DiscoveryClient) error {
	given, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	text, err := client.RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").DoRaw(context.Background())
	if err != nil {
		return err
	}
	expected, err := openapi2.ParseDocument(text)
	if err != nil {
		return err
	}
	normalize(expected.ProtoReflect())
	normalize(given.ProtoReflect())
	if !proto.Equal(expected, given) {
		return fmt.Errorf("the protobuf of version 2 is not its JSON")
	}
	fmt.Println("the document of version 2 is equal")
	return nil
}

// readAsSpecs reads each group and version as client-go's users do.
func readAsSpecs(client *discovery.DiscoveryClient) error {
	root := clientopenapi3.NewRoot(client.OpenAPIV3())
	versions, err := root.GroupVersions()
	if err != nil {
		return err
	}
	for _, version := range versions {
		spec, err := root.GVSpec(version)
		if err != nil {
			return fmt.Errorf("%s: %w", version, err)
		}
		if len(spec.Paths.Paths) == 0 {
			return fmt.Errorf("%s has no paths", version)
		}
	}
	fmt.Println(len(versions), "specs can be read")
	return nil
}

func compare(path string, expected, given proto.Message, bytes []byte) error {
	if err := proto.Unmarshal(bytes, given); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	normalize(expected.ProtoReflect())
	normalize(given.ProtoReflect())
	if !proto.Equal(expected, given) {
		return fmt.Errorf("the protobuf of %s is not its JSON", path)
	}
	return nil
}

// normalize writes values of any type, which are YAML, as JSON: there are several ways to write the same YAML.
func normalize(message protoreflect.Message) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Name() == "yaml":
			var parsed any
			if err := yaml.Unmarshal([]byte(value.String()), &parsed); err == nil {
				if text, err := json.Marshal(parsed); err == nil {
					message.Set(field, protoreflect.ValueOfString(string(text)))
				}
			}
		case field.IsList() && field.Message() != nil:
			for i := range value.List().Len() {
				normalize(value.List().Get(i).Message())
			}
		case field.Message() != nil:
			normalize(value.Message())
		}
		return true
	})
}
