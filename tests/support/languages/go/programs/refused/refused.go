// Package refused asks for a cluster that cannot be.
package refused

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Program is wrong in what each kind of argument is: a number beside another, a map, a list, a nested object.
func Program(ctx *pulumi.Context) error {
	_, err := minicluster.NewMiniCluster(ctx, "demo", &minicluster.MiniClusterArgs{
		Namespace: pulumi.StringRef(config.Require(ctx, "namespace")),
		Size:      pulumi.IntRef(9),
		MaxSize:   pulumi.IntRef(4),
		Tasks:     pulumi.IntRef(-1),
		JobLabels: map[string]pulumi.StringInput{"not a label": pulumi.String("value")},
		Pod:       &minicluster.MiniClusterPodArgs{RestartPolicy: ref(minicluster.MiniClusterRestartPolicy("Always"))},
		Containers: []minicluster.MiniClusterContainerArgs{{
			Image:      pulumi.String("ubuntu:noble"),
			Command:    pulumi.StringRef("echo hello"),
			WorkingDir: pulumi.String("data"),
			Ports:      []int{8080, 70000},
		}},
	})
	return err
}

func ref[T any](value T) *T { return &value }
