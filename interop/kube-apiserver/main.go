// A real kube-apiserver, from the modules that Kubernetes publishes. Its own go.mod points into its repository, so that
// `go install` does not build it; ours names the published versions instead.
package main

import (
	"os"
	_ "time/tzdata"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
