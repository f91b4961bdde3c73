module minicluster/sandbox/monitors

go 1.26

require github.com/prometheus-operator/prometheus-operator v0.85.0
