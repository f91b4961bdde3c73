package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to MaxSize.
		lab, err := minicluster.NewMiniCluster(ctx, "lab", &minicluster.MiniClusterArgs{
			Size:    pulumi.IntRef(config.New(ctx, "").RequireInt("size")),
			MaxSize: pulumi.IntRef(8),
			Container: &minicluster.MiniClusterContainerArgs{
				Image: pulumi.String("ubuntu:noble"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("shell", lab.ConnectCommand)
		return nil
	})
}
