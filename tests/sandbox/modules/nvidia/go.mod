module minicluster/sandbox/nvidia

go 1.26.5

require sigs.k8s.io/dra-driver-nvidia-gpu v0.4.1
