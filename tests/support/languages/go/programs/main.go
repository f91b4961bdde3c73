// Command programs holds the programs that are for tests only, so that they are linked once.
package main

import (
	"path/filepath"

	"minicluster-tests/drive"
	"minicluster-tests/programs/bursting"
	"minicluster-tests/programs/refused"
	"minicluster-tests/programs/typed"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var programs = map[string]pulumi.RunFunc{"bursting": bursting.Program, "refused": refused.Program, "typed": typed.Program}

func main() {
	drive.Main(func(folder string) pulumi.RunFunc { return programs[filepath.Base(folder)] })
}
