module minicluster/sandbox/jsonpath

go 1.26.7

require github.com/theory/jsonpath v0.9.0
