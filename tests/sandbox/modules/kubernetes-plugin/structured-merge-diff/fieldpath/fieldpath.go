// Package fieldpath gives the plugin, which was written for version 4, the types of version 6: those that its newer
// dependencies use.
package fieldpath

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

type (
	Set         = fieldpath.Set
	Path        = fieldpath.Path
	PathElement = fieldpath.PathElement
)

var MakePath = fieldpath.MakePath
