module ${PROJECT}

go 1.24.7

require (
	github.com/owner-unset/pulumi-minicluster/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.220.0
)
