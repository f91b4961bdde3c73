package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(program)
}

// `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to MaxSize.
func program(ctx *pulumi.Context) error {
	lammps, err := minicluster.NewMiniCluster(ctx, "lammps", &minicluster.MiniClusterArgs{
		Namespace: namespace(ctx),
		Size:      pulumi.IntRef(config.New(ctx, "").RequireInt("size")),
		MaxSize:   pulumi.IntRef(8),
		Tasks:     pulumi.IntRef(2),
		Logging:   &minicluster.MiniClusterLoggingArgs{Quiet: pulumi.BoolRef(true)},
		Pod: &minicluster.MiniClusterPodArgs{
			Labels: map[string]pulumi.StringInput{"selector": pulumi.String("lammps")},
		},
		Containers: []minicluster.MiniClusterContainerArgs{{
			Image:      pulumi.String("ghcr.io/converged-computing/metric-lammps:latest"),
			WorkingDir: pulumi.String("/opt/lammps/examples/reaxff/HNS"),
			Command:    pulumi.StringRef("lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite"),
		}},
	})
	if err != nil {
		return err
	}
	ctx.Export("size", lammps.Size)
	ctx.Export("logs", lammps.LogsCommand)
	ctx.Export("connect", lammps.ConnectCommand)
	ctx.Export("diagnose", lammps.DiagnoseCommand)
	return nil
}

// The namespace in the configuration of the stack, or nil.
func namespace(ctx *pulumi.Context) *string {
	if name := config.New(ctx, "").Get("namespace"); name != "" {
		return &name
	}
	return nil
}
