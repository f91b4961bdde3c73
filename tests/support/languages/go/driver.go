//go:build driver

// This file joins the package main of an example when it is built with the overlay of the tests.
package main

import (
	"minicluster-tests/drive"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Comes before main, which would look for an engine that has started the program.
func init() {
	drive.Main(func(string) pulumi.RunFunc { return program })
}
