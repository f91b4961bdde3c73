// Package typed uses the types that the SDK generates as an ordinary program does.
package typed

import (
	"github.com/owner-unset/pulumi-minicluster/sdk/go/minicluster"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Program makes a cluster whose arguments come from another resource.
func Program(ctx *pulumi.Context) error {
	namespace := config.Require(ctx, "namespace")
	images, err := corev1.NewConfigMap(ctx, "images", &corev1.ConfigMapArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("images"), Namespace: pulumi.String(namespace)},
		Data:     pulumi.StringMap{"registry": pulumi.String("registry.example")},
	})
	if err != nil {
		return err
	}
	cluster, err := minicluster.NewMiniCluster(ctx, "demo", clusterArgs(namespace, images))
	if err != nil {
		return err
	}
	ctx.Export("lead", pulumi.Sprintf("%s of %d", cluster.LeadHost, cluster.Size))
	return nil
}

func clusterArgs(namespace string, images *corev1.ConfigMap) *minicluster.MiniClusterArgs {
	registry := images.Data.MapIndex(pulumi.String("registry"))
	// Known only when the resource is there, as the digest of an image that the program builds.
	repository := images.ID()
	return &minicluster.MiniClusterArgs{
		Namespace: &namespace,
		Size:      pulumi.IntRef(2),
		Containers: []minicluster.MiniClusterContainerArgs{{
			Image:           pulumi.Sprintf("%s/%s", registry, repository),
			ImagePullPolicy: ref(minicluster.MiniClusterPullPolicyAlways),
			Command:         pulumi.StringRef("echo hello"),
			Environment: map[string]pulumi.StringInput{
				"LICENCE": pulumi.ToSecret(pulumi.String("licence-of-the-team")).(pulumi.StringOutput),
				"SOLVER":  pulumi.String("reax"),
			},
		}},
		PodTemplate: &corev1.PodTemplateSpecPatchArgs{
			Metadata: metav1.ObjectMetaPatchArgs{Annotations: pulumi.StringMap{"team": pulumi.String("physics")}},
			Spec:     corev1.PodSpecPatchArgs{PriorityClassName: pulumi.String("system-cluster-critical")},
		},
	}
}

func ref[T any](value T) *T { return &value }
