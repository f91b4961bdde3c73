// Flux MiniClusters on Kubernetes for Pulumi: created, previewed and resized in place, with no operator and no CRD
package minicluster
