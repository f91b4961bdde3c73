module github.com/owner-unset/pulumi-minicluster/sdk/go

go 1.20

require (
	github.com/pulumi/pulumi-kubernetes/sdk/v4 v4.24.0
	github.com/pulumi/pulumi/sdk/v3 v3.165.0
)
