// kubernetes-e2e runs end-to-end specs of Kubernetes: those about admission policies, which need no running Pods. The whole
// suite takes most of Kubernetes to build; scripts/build-real-part.mjs copies the files of these specs from the published module.
// Flags: --kubeconfig, --ginkgo.json-report.
package main

import (
	"flag"
	"os"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"

	_ "listwatch.test/kubernetes-e2e/policies"
)

// Ginkgo tells it of a failure; the exit code is that of RunSpecs.
type suite struct{}

func (suite) Fail() {}

func main() {
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	framework.AfterReadingAllFlags(&framework.TestContext)
	gomega.RegisterFailHandler(framework.Fail)
	suiteConfig, reporterConfig := framework.CreateGinkgoConfig()
	if !ginkgo.RunSpecs(suite{}, "admission policies", suiteConfig, reporterConfig) {
		os.Exit(1)
	}
}
