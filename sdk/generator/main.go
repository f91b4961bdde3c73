// Command generator writes the SDKs of the package in the languages that Pulumi generates code for.
//
// Usage: generator SCHEMA DIRECTORY
package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"golang.org/x/mod/modfile"
)

// Where each language has the one type of the Kubernetes provider that the schema refers to. The provider's own schema is
// only to be had from its plugin; the generators ask it for nothing else.
//
//go:embed kubernetes.json
var kubernetesSchema []byte

// What the Go code imports. The generator of Go code names an old Pulumi SDK and none of the providers referred to.
var goRequirements = map[string]string{
	"github.com/pulumi/pulumi/sdk/v3":            "v3.165.0",
	"github.com/pulumi/pulumi-kubernetes/sdk/v4": "v4.24.0",
}

// The picture of the .NET package. Its generator fetches one from the network, and so is shown this one there.
//
//go:embed logo.png
var pictures embed.FS

const tool = "the Pulumi SDK generator"

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: %s SCHEMA DIRECTORY", os.Args[0]))
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func run(schemaFile, directory string) error {
	content, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	for language, generate := range generators {
		// Each generator changes the package that it reads.
		pkg, err := bind(content, loader{})
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		// A type that is gone must not stay behind as a file.
		if err := os.RemoveAll(filepath.Join(directory, language)); err != nil {
			return err
		}
		for name, content := range files {
			if err := write(filepath.Join(directory, language, name), content); err != nil {
				return err
			}
		}
	}
	return nil
}

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		files, err := nodejs.GeneratePackage(tool, pkg, nil, nil, true, loader{})
		return withImportsFromTypes(files), err
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		files, err := python.GeneratePackage(tool, pkg, nil, loader{})
		// Where pyproject.toml says that it is.
		files["README.md"] = files["pulumi_minicluster/README.md"]
		return files, err
	},
	"dotnet": func(pkg *schema.Package) (map[string][]byte, error) {
		http.DefaultTransport.(*http.Transport).RegisterProtocol("embedded", http.NewFileTransportFS(pictures))
		pkg.LogoURL = "embedded:///logo.png"
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		files, err := gogen.GeneratePackage(tool, pkg, nil)
		if err != nil {
			return nil, err
		}
		files["go.mod"], err = withRequirements(files["go.mod"])
		return files, err
	},
}

// withImportsFromTypes leads the imports of the files in types/ one directory up, where what they name is. Built with Go 1.26,
// the generator takes that directory for its own (github.com/pulumi/pulumi/pull/21835).
func withImportsFromTypes(files map[string][]byte) map[string][]byte {
	for name, content := range files {
		if path.Dir(name) == "types" {
			for _, imported := range []string{"types/", "utilities"} {
				content = bytes.ReplaceAll(content, []byte(`from "./`+imported), []byte(`from "../`+imported))
			}
			files[name] = content
		}
	}
	return files
}

func withRequirements(content []byte) ([]byte, error) {
	module, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		return nil, err
	}
	for name, version := range goRequirements {
		if err := module.AddRequire(name, version); err != nil {
			return nil, err
		}
	}
	module.SortBlocks()
	return module.Format()
}

func write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

func bind(content []byte, loader schema.Loader) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(content, &spec); err != nil {
		return nil, err
	}
	pkg, problems, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, problems
	}
	return pkg, nil
}

// loader finds the packages that the schema refers to.
type loader struct{}

func (loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != "kubernetes" {
		return nil, fmt.Errorf("the schema refers to the package %s, whose types are not at hand", name)
	}
	return bind(kubernetesSchema, nil)
}

func (l loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(descriptor.Name, descriptor.Version)
}

func (l loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.Name, descriptor.Version)
}
