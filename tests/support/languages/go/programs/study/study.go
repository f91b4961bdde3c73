// A study of one application at two sizes.
package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(program)
}

func program(ctx *pulumi.Context) error {
	conf := config.New(ctx, "")
	command := conf.Get("command")
	if command == "" {
		command = `echo "took $((8 / size)) s"`
	}
	study, err := minicluster.NewStudy(ctx, "demo", &minicluster.StudyArgs{
		Cluster: &minicluster.StudyClusterArgs{
			Namespace: pulumi.StringRef(conf.Require("namespace")),
			Containers: []minicluster.MiniClusterContainerArgs{{
				Image: pulumi.String(conf.Require("image")),
			}},
			Flux: &minicluster.MiniClusterFluxArgs{
				Container: &minicluster.MiniClusterFluxContainerArgs{Image: pulumi.String(conf.Require("view"))},
			},
		},
		Sizes: []int{1, 2},
		Apps: map[string]minicluster.StudyAppArgs{
			"timed": {
				Command: command,
				Figure: &minicluster.StudyFigureArgs{
					Pattern: "took ([0-9.]+) s",
					Unit:    pulumi.StringRef("s"),
					Better:  minicluster.StudyBetterLower,
				},
			},
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("table", study.Table)
	ctx.Export("nodeHours", study.NodeHours)
	return nil
}
