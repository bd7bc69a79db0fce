// A kubelet's server of streams, from the module that Kubernetes publishes, over the processes and ports of this machine.
// It serves the paths of a kubelet over TLS, and says its port in its first line.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second
)

// machine runs commands here instead of in a container.
type machine struct{}

func (machine) ExecInContainer(ctx context.Context, _, _, _ string, command []string, in io.Reader, out, err io.WriteCloser, _ bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if len(command) == 2 && command[0] == "wait-for-size" {
		size := <-resize
		_, failed := fmt.Fprintf(out, "%dx%d\n", size.Width, size.Height)
		return failed
	}
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	process.Stdout, process.Stderr = out, err
	if in != nil {
		// Not process.Stdin: a command that ends before its input would be waited for.
		pipe, failed := process.StdinPipe()
		if failed != nil {
			return failed
		}
		go func() {
			_, _ = io.Copy(pipe, in)
			_ = pipe.Close()
		}()
	}
	failed := process.Run()
	var exit *exec.ExitError
	if errors.As(failed, &exit) {
		return utilexec.CodeExitError{Err: failed, Code: exit.ExitCode()}
	}
	return failed
}

func (m machine) AttachContainer(ctx context.Context, name, uid, container string, in io.Reader, out, err io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	return m.ExecInContainer(ctx, name, uid, container, []string{"cat"}, in, out, err, tty, resize, 0)
}

func (machine) PortForward(ctx context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+strconv.Itoa(int(port)))
	if err != nil {
		return fmt.Errorf("failed to connect to localhost:%d inside namespace: %w", port, err)
	}
	defer connection.Close()
	over := make(chan struct{}, 2)
	go func() {
		_, _ = io.Copy(connection, stream)
		if half, ok := connection.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
		over <- struct{}{}
	}()
	go func() {
		_, _ = io.Copy(stream, connection)
		over <- struct{}{}
	}()
	<-over
	return nil
}

func serve(w http.ResponseWriter, request *http.Request) {
	log.Printf("%s %s %s", request.Method, request.Header.Get("Upgrade"), request.URL)
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	switch parts[0] {
	case "exec", "attach":
		options, err := remotecommand.NewOptions(request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if parts[0] == "attach" {
			remotecommand.ServeAttach(w, request, machine{}, parts[2], "", parts[3], options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
			return
		}
		remotecommand.ServeExec(w, request, machine{}, parts[2], "", parts[3], request.URL.Query()["command"], options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
	case "portForward":
		options, err := portforward.NewV4Options(request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, request, machine{}, parts[2], "", options, idleTimeout, creationTimeout, portforward.SupportedProtocols)
	case "containerLogs":
		flusher, _ := w.(http.Flusher)
		for line := 1; line <= 3; line++ {
			fmt.Fprintf(w, "line %d of %s\n", line, parts[2])
			flusher.Flush()
		}
	default:
		http.NotFound(w, request)
	}
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: kubelet-streams CERTIFICATE KEY")
	}
	pair, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{
		Handler:   http.HandlerFunc(serve),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}},
	}
	// The end of its input is the end of the test.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(server.ServeTLS(listener, "", ""))
}
