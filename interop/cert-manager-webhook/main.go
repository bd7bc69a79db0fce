// cert-manager-webhook is the admission webhook of cert-manager as a program of its own. Its module publishes the server
// only as a helper for tests, which wants a test to belong to: this program is one that runs until it is stopped.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	webhook "github.com/cert-manager/cert-manager/test/webhook"
)

func main() {
	arguments := os.Args[1:]
	// The flags are the webhook's, and none of the testing package.
	os.Args = os.Args[:1]
	serve := func(t *testing.T) {
		server, stop := webhook.StartWebhookServer(t, arguments)
		defer stop()
		fmt.Fprintf(os.Stderr, "serving at %s\n", server.URL)
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
		<-ended
	}
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "serve", F: serve}}, nil, nil)
}
