// Command generator writes the SDKs of the package, each in the folder of its language.
//
// Usage: generator SCHEMA DIRECTORY LANGUAGE...
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
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"golang.org/x/mod/modfile"
)

// The package of each language with the one type of the Kubernetes provider that the schema refers to. The provider's
// schema is only available from its plugin; the generators request nothing else of it.
//
//go:embed kubernetes.json
var kubernetesSchema []byte

// The modules that the Go code imports. Pulumi's generator requires an old Pulumi SDK and no provider.
var goRequirements = map[string]string{
	"github.com/pulumi/pulumi/sdk/v3":            "v3.165.0",
	"github.com/pulumi/pulumi-kubernetes/sdk/v4": "v4.24.0",
}

// The logo of the .NET package. Pulumi's generator would download a logo; it reads this file instead.
//
//go:embed logo.png
var pictures embed.FS

const tool = "the Pulumi SDK generator"

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: %s SCHEMA DIRECTORY LANGUAGE...", os.Args[0]))
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func run(schemaFile, directory string, languages []string) error {
	content, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	for _, language := range languages {
		generate, ok := generators[language]
		if !ok {
			return fmt.Errorf("%s: no generator", language)
		}
		// Each generator changes the package that it reads.
		pkg, err := bind(content, loader{})
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		// The file of a removed type must be deleted.
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
		// The path in pyproject.toml.
		files["README.md"] = files["pulumi_minicluster/README.md"]
		return withWiderTypes(files, pkg), err
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

// withImportsFromTypes moves the imports of the files in types/ one directory up, to the imported files. With Go 1.26,
// the generator assumes that they are in types/ (github.com/pulumi/pulumi/pull/21835).
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

// The parameters of a constructor, and the keys of a dictionary, which type checkers read. At run time, the SDK reads
// the properties of the classes, which do not change.
var pythonParameter = regexp.MustCompile(`(?m)^(?: {17}| {4})\w+: .*$`)

// withWiderTypes widens the types in Python to all values that the SDK accepts: the text of a choice, an output of the
// package for an argument of its type, and an absent root, because the output `burst` of a MiniCluster is optional.
func withWiderTypes(files map[string][]byte, pkg *schema.Package) map[string][]byte {
	wider := widerTypes(files["pulumi_minicluster/outputs.py"], pkg)
	for file, content := range files {
		if !pythonParameter.Match(content) || file == "pulumi_minicluster/outputs.py" {
			continue
		}
		text := pythonParameter.ReplaceAllStringFunc(string(content), wider.Replace)
		files[file] = []byte(withOptionalRoot(withOutputs(text)))
	}
	return files
}

func widerTypes(outputs []byte, pkg *schema.Package) *strings.Replacer {
	var pairs []string
	for _, each := range pkg.Types {
		switch each := each.(type) {
		case *schema.EnumType:
			name := "'" + tokens.Type(each.Token).Name().String() + "'"
			pairs = append(pairs, name, "Union["+name+", _builtins.str]")
		case *schema.ObjectType:
			name := tokens.Type(each.Token).Name().String()
			if !bytes.Contains(outputs, []byte("\nclass "+name+"(")) {
				continue
			}
			args, dict, output := "'"+name+"Args'", "'"+name+"ArgsDict'", "'outputs."+name+"'"
			// The first match is used.
			pairs = append(pairs, "Union["+args+", "+dict+"]", "Union["+args+", "+dict+", "+output+"]")
			pairs = append(pairs, args, "Union["+args+", "+output+"]", dict, "Union["+dict+", "+output+"]")
		}
	}
	return strings.NewReplacer(pairs...)
}

// withOutputs imports the outputs that the wider types refer to.
func withOutputs(text string) string {
	if !strings.Contains(text, "'outputs.") || strings.Contains(text, "\nfrom . import outputs\n") {
		return text
	}
	return strings.Replace(text, "\nfrom . import _utilities\n", "\nfrom . import _utilities\nfrom . import outputs\n", 1)
}

var rootType = regexp.MustCompile(`(?m)^((?: {17}| {4})root: (?:NotRequired\[|Optional\[)?pulumi\.Input\[)(Union\[[^\]]*\])(\].*)$`)

func withOptionalRoot(text string) string {
	return rootType.ReplaceAllString(text, "${1}Optional[${2}]${3}")
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
