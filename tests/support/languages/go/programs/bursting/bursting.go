// Package bursting has two clusters that are one Flux instance.
package bursting

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Program gives what one cluster knows of the instance to the other one, in parts: `burst` is a secret as a whole, so that a
// preview would know nothing in it.
func Program(ctx *pulumi.Context) error {
	namespace := config.Require(ctx, "namespace")
	containers := []minicluster.MiniClusterContainerArgs{{Image: pulumi.String("ubuntu:noble")}}
	home, err := minicluster.NewMiniCluster(ctx, "home", &minicluster.MiniClusterArgs{
		Namespace:   &namespace,
		Size:        pulumi.IntRef(2),
		Interactive: pulumi.BoolRef(true),
		Containers:  containers,
		Bursting: &minicluster.BurstingArgs{
			Clusters: []minicluster.BurstingClusterArgs{{Name: "cloud", MaxSize: 4, Cores: pulumi.IntRef(8)}},
			Expose: minicluster.BurstingExposeArgs{
				NodePort: &minicluster.BurstingNodePortArgs{Address: pulumi.String("192.0.2.1")},
			},
		},
	})
	if err != nil {
		return err
	}
	_, err = minicluster.NewBurstCluster(ctx, "cloud", &minicluster.BurstClusterArgs{
		Root: minicluster.BurstRootArgs{
			Plan:        home.BurstPlan.Elem(),
			Address:     home.BurstAddress.Elem(),
			Port:        home.BurstPort.Elem(),
			Certificate: home.BurstCertificate.Elem(),
		},
		Namespace:  &namespace,
		Size:       pulumi.IntRef(1),
		Containers: containers,
	})
	if err != nil {
		return err
	}
	ctx.Export("hosts", home.Hostlist)
	return nil
}
