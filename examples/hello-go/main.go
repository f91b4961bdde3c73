package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(program)
}

// The smallest MiniCluster: one pod, one broker, one command.
func program(ctx *pulumi.Context) error {
	hello, err := minicluster.NewMiniCluster(ctx, "hello", &minicluster.MiniClusterArgs{
		Namespace: namespace(ctx),
		Containers: []minicluster.MiniClusterContainerArgs{{
			Image:   pulumi.String("ubuntu:noble"),
			Command: pulumi.StringRef("echo hello world"),
		}},
	})
	if err != nil {
		return err
	}
	ctx.Export("logs", hello.LogsCommand)
	return nil
}

// The namespace in the configuration of the stack, or nil.
func namespace(ctx *pulumi.Context) *string {
	if name := config.New(ctx, "").Get("namespace"); name != "" {
		return &name
	}
	return nil
}
