package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// server is a running kube-apiserver.
type server struct {
	url    string
	token  string
	client *http.Client
}

func connect(url, token, caFile string) (*server, error) {
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate", caFile)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	return &server{url: url, token: token, client: &http.Client{Transport: transport}}, nil
}

func (s *server) get(path, accept string) (int, []byte, error) {
	request, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Accept", accept)
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, body, err
}

func (s *server) getJSON(path, accept string, into any) error {
	status, body, err := s.get(path, accept)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s was answered with %d: %s", path, status, body)
	}
	return json.Unmarshal(body, into)
}
