module minicluster/sandbox/pods

go 1.26.0
