// Reads Kubernetes manifests from standard input, and decodes each as its API type. An unknown field, a wrong type and an
// unknown kind are errors. Kinds of the Prometheus operator are not part of Kubernetes, and are listed as skipped.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var meta struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		}
		if err := yaml.Unmarshal(document, &meta); err != nil {
			fail(err)
		}
		switch {
		case meta.Kind == "":
		case strings.HasPrefix(meta.APIVersion, "monitoring.coreos.com/"):
			fmt.Println("skipped", meta.Kind)
		default:
			if _, _, err := strict.Decode(document, nil, nil); err != nil {
				fail(fmt.Errorf("%s: %w", meta.Kind, err))
			}
			fmt.Println("valid", meta.Kind)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
