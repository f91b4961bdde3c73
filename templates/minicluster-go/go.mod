module ${PROJECT}

go 1.24.7

require github.com/pulumi/pulumi/sdk/v3 v3.220.0
