// Prints the custom resource definitions of Karpenter and of its provider for AWS, as their module carries them.
package main

import (
	"bytes"
	"os"

	"github.com/aws/karpenter-provider-aws/pkg/apis"
)

func main() {
	os.Stdout.Write(bytes.Join([][]byte{apis.NodePoolCRD, apis.EC2NodeClassCRD}, []byte("\n---\n")))
}
