// The Kubernetes plugin of Pulumi, for machines on which the engine cannot install it: the provider's own module, with
// the schema beside the executable. Its source is older than the version that it reports, so go.mod has newer libraries of
// Kubernetes, without which it would drop the fields that only these have. (`go mod tidy -e`: a test of a dependency
// imports packages that they no longer have.)
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

func main() {
	executable, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	schema, err := os.ReadFile(filepath.Join(filepath.Dir(executable), "schema.json"))
	if err != nil {
		log.Fatal(err)
	}
	// The schema of the module has no version, and is an object.
	versioned := append([]byte(`{"version": "`+version.Version+`",`), schema[1:]...)
	provider.Serve("kubernetes", version.Version, versioned, []byte("{}"))
}
