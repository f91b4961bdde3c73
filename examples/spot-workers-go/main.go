package main

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

const (
	image      = "ghcr.io/converged-computing/metric-lammps:latest"
	maxWorkers = 16
)

func main() {
	pulumi.Run(program)
}

// The lead broker, which must not be lost, runs on a small on-demand machine; the workers run on spot machines. Both
// are in one Flux instance.
func program(ctx *pulumi.Context) error {
	conf := config.New(ctx, "")
	workers := conf.RequireInt("workers")
	onDemand, err := pool(ctx, "lead", "m7i.large", minicluster.EksNodePoolCapacityTypeOnDemand, 1)
	if err != nil {
		return err
	}
	spot, err := pool(ctx, "spot", "c7i.24xlarge", minicluster.EksNodePoolCapacityTypeSpot, maxWorkers)
	if err != nil {
		return err
	}

	namespace := conf.Get("namespace")
	if namespace == "" {
		namespace = "default"
	}
	lead, err := minicluster.NewMiniCluster(ctx, "lead", &minicluster.MiniClusterArgs{
		Namespace:   &namespace,
		Size:        pulumi.IntRef(1),
		Interactive: pulumi.BoolRef(true),
		Pool:        onDemand.Scheduling.ToNodePoolSchedulingPtrOutput(),
		// A job that opts in (flux submit --setattr=requeue) is submitted again after AWS has reclaimed one of its hosts.
		Requeue:    &minicluster.MiniClusterRequeueArgs{Restarts: pulumi.IntRef(5)},
		Containers: []minicluster.MiniClusterContainerArgs{{Image: pulumi.String(image)}},
		Bursting: &minicluster.BurstingArgs{
			Clusters: []minicluster.BurstingClusterArgs{{
				Name: "spot", MaxSize: maxWorkers, Pool: spot.Scheduling.ToNodePoolSchedulingPtrOutput(),
			}},
			// Both are in one Kubernetes cluster, so the workers reach the lead broker by the host name of its pod.
			Expose: minicluster.BurstingExposeArgs{
				Endpoint: &minicluster.BurstingEndpointArgs{
					Address: pulumi.String("lead-0.lead." + namespace + ".svc.cluster.local"),
				},
			},
		},
	})
	if err != nil {
		return err
	}

	// The drain of the workers takes at most 90 s of the two minutes between AWS's notice and the end of a machine.
	_, err = minicluster.NewBurstCluster(ctx, "spot", &minicluster.BurstClusterArgs{
		Root:       lead.Burst,
		Namespace:  &namespace,
		Size:       &workers,
		Pool:       spot.Scheduling.ToNodePoolSchedulingPtrOutput(),
		Containers: []minicluster.MiniClusterContainerArgs{{Image: pulumi.String(image)}},
	})
	if err != nil {
		return err
	}
	ctx.Export("connect", lead.ConnectCommand)
	ctx.Export("logs", lead.LogsCommand)
	ctx.Export("hosts", lead.Hostlist)
	return nil
}

// A pool of one machine type, autoscaled from 0 nodes.
func pool(
	ctx *pulumi.Context, name, machineType string, capacityType minicluster.EksNodePoolCapacityType, maxSize int,
) (*minicluster.EksNodePool, error) {
	conf := config.New(ctx, "")
	var subnetIds []string
	if err := conf.TryObject("subnetIds", &subnetIds); err != nil {
		return nil, err
	}
	return minicluster.NewEksNodePool(ctx, name, &minicluster.EksNodePoolArgs{
		ClusterName:  pulumi.String(conf.Require("clusterName")),
		NodeRoleArn:  pulumi.String(conf.Require("nodeRoleArn")),
		SubnetIds:    pulumi.ToStringArray(subnetIds),
		MachineTypes: []string{machineType},
		CapacityType: &capacityType,
		MaxSize:      &maxSize,
	})
}
